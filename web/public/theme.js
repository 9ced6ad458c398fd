// Sets the stored theme before the first paint. Dark is the default.
(function () {
  var theme = 'dark';
  try {
    if (localStorage.getItem('theme') === 'light') theme = 'light';
  } catch {
    // Storage can be blocked (private windows, policies).
  }
  document.documentElement.dataset.theme = theme;
  document
    .querySelector('meta[name="theme-color"]')
    .setAttribute('content', theme === 'dark' ? '#131210' : '#FAF7F2');
  // Shows the message for a client that did not load (client-missing.css).
  addEventListener(
    'error',
    function (event) {
      var script = event.target;
      if (script instanceof HTMLScriptElement && (script.type === 'module' || script.dataset.client))
        document.documentElement.dataset.clientFailed = '';
    },
    true,
  );
})();
