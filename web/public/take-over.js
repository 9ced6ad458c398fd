// Fetches and starts the client on a page that is drawn already, once the visitor sees it: reading comes before
// pressing, on the network as on the processor. A button that is pressed meanwhile is pressed again once it works.
(function () {
  var { client, parts } = document.currentScript.dataset;
  var begun = false;
  var pressed = null;

  var begin = function () {
    if (begun) return;
    begun = true;
    for (var part of parts.split(' ')) {
      var link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = part;
      document.head.append(link);
    }
    if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 500 });
    else setTimeout(start);
  };
  var start = function () {
    import(client).catch(function (error) {
      // The next press tries once more.
      begun = false;
      document.documentElement.dataset.lost = '';
      throw error;
    });
  };
  var keep = function (event) {
    var button = event.target.closest('button:not([popovertarget])');
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (pressed) delete pressed.dataset.pressed;
    pressed = button;
    button.dataset.pressed = '';
    begin();
  };

  addEventListener('click', keep, true);
  addEventListener(
    'taken-over',
    function () {
      removeEventListener('click', keep, true);
      if (!pressed) return;
      delete pressed.dataset.pressed;
      pressed.click();
    },
    { once: true },
  );
  // A tab in the background paints nothing until it is looked at; its client need not wait for that.
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) begin();
  else new PerformanceObserver(begin).observe({ type: 'paint', buffered: true });
})();
