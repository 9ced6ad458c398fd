// Loads the client of a prerendered page after its first paint, so that its scripts do not delay the text. A button that
// is pressed before the client is hydrated is clicked again afterwards.
(function () {
  var { client, parts } = document.currentScript.dataset;
  var loading = false;
  var pressed = null;

  var load = function () {
    if (loading) return;
    loading = true;
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
      // Ignored: the next press of a button tries to load the client again.
      loading = false;
      document.documentElement.dataset.clientFailed = '';
      throw error;
    });
  };
  var rememberPress = function (event) {
    var button = event.target.closest('button:not([popovertarget])');
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (pressed) delete pressed.dataset.pressed;
    pressed = button;
    button.dataset.pressed = '';
    load();
  };

  addEventListener('click', rememberPress, true);
  addEventListener(
    'hydrated',
    function () {
      removeEventListener('click', rememberPress, true);
      if (!pressed) return;
      delete pressed.dataset.pressed;
      pressed.click();
    },
    { once: true },
  );
  // Background tabs don't paint, so don't wait for the first paint there.
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) load();
  else new PerformanceObserver(load).observe({ type: 'paint', buffered: true });
})();
