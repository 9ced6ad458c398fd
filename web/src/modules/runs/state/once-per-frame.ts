const FRAME_MS = 16;
const HIDDEN_MS = 100;

/** A scheduler that shows a change at once, and those of the same frame in the next one. A hidden tab has no frames. */
export function oncePerFrame(): (flush: () => void) => void {
  let shownAt = -Infinity;
  return (flush) => {
    const show = () => {
      shownAt = performance.now();
      flush();
    };
    if (document.hidden) setTimeout(show, HIDDEN_MS);
    else if (performance.now() - shownAt < FRAME_MS) requestAnimationFrame(show);
    else queueMicrotask(show);
  };
}
