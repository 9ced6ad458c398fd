/** Scrolls to the top of an element, at once for users who prefer reduced motion. */
export function scrollToTopOf(element: Element | null): void {
  const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  element?.scrollIntoView({ block: 'start', behavior: reducedMotion ? 'auto' : 'smooth' });
}

/** True if the form and the result of a tool are one below the other. */
export const isNarrow = (): boolean => window.matchMedia('(width < 64rem)').matches;
