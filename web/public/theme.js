// Runs before the first paint, so that the stored theme never flashes. Dark is the default.
(function () {
  var theme = 'dark';
  try {
    if (localStorage.getItem('theme') === 'light') theme = 'light';
  } catch {
    // Storage may be closed to us (private windows, policies); the default stands.
  }
  document.documentElement.dataset.theme = theme;
  document
    .querySelector('meta[name="theme-color"]')
    .setAttribute('content', theme === 'dark' ? '#131210' : '#FAF7F2');
  // A client that is lost on its way cannot say so itself; the page's own words for that come out then (late.css).
  addEventListener(
    'error',
    function (event) {
      var lost = event.target;
      if (lost instanceof HTMLScriptElement && (lost.type === 'module' || lost.dataset.client))
        document.documentElement.dataset.lost = '';
    },
    true,
  );
})();
