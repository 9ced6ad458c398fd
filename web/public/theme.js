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
})();
