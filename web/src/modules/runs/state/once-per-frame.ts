const FRAME_MS = 16;
const HIDDEN_MS = 100;

/** A scheduler that flushes soon but at most once per frame. Hidden tabs have no frames, so a timer is used there. */
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
