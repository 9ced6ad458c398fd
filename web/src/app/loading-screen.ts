/** Removes the loading screen of index.html once its CSS animation has ended. */
export function removeLoadingScreen(): void {
  // The message for a client that did not load (styles/client-missing.css).
  document.querySelector('.client-missing')?.remove();
  const screen = document.querySelector('.loading-screen');
  for (const animation of screen?.getAnimations() ?? [])
    animation.finished.then(
      () => screen?.remove(),
      () => undefined,
    );
}
