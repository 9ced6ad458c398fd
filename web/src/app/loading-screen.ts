/**
 * The loading screen of the first second stands in index.html and fades by its styles alone, so it neither waits for
 * scripts nor holds the page up. Once it has faded, nothing of it stays.
 */
export function takeLoadingScreenAway(): void {
  // The words for a client that did not come (styles/late.css).
  document.querySelector('.late')?.remove();
  const screen = document.querySelector('.boot');
  for (const animation of screen?.getAnimations() ?? [])
    animation.finished.then(
      () => screen?.remove(),
      () => undefined,
    );
}
