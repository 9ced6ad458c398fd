/** How far from the screen an element is still near. */
const NEAR = '1500px 0px';

/** Whether the browser can say what is near the screen. */
export const canObserveNear = (): boolean => 'IntersectionObserver' in globalThis;

/** Calls back with whether an element is near the screen, now and after each change. @returns a function that stops it */
export function observeNear(element: Element, onChange: (isNear: boolean) => void): () => void {
  const observer = new IntersectionObserver(
    // A busy browser reports several changes at once, the latest last.
    (changes) => onChange(changes.at(-1)?.isIntersecting === true),
    { rootMargin: NEAR },
  );
  observer.observe(element);
  return () => observer.disconnect();
}
