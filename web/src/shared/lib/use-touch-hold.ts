import { useEffect, type RefObject } from 'react';

/**
 * Keeps the touches of an element from the browser, for as long as `holds` says so of a move. Its `touch-action` alone
 * is not enough: Chromium takes the tap that follows such a drag for the end of a fling, and no button hears of it.
 */
export function useTouchHold(element: RefObject<HTMLElement | null>, holds: (event: TouchEvent) => boolean) {
  useEffect(() => {
    const place = element.current;
    const onMove = (event: TouchEvent) => {
      if (event.cancelable && holds(event)) event.preventDefault();
    };
    // React listens passively, which cannot prevent anything.
    place?.addEventListener('touchmove', onMove, { passive: false });
    return () => place?.removeEventListener('touchmove', onMove);
  });
}
