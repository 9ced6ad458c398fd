const FRAME_MS = 16;
const HIDDEN_MS = 100;

/** A scheduler that flushes at once, and at most once per frame. A hidden tab has no frames and uses a timer. */
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
