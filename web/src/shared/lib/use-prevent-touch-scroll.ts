import { useEffect, type RefObject } from 'react';

/**
 * Prevents the browser from scrolling on touch moves for which `shouldPrevent` is true. `touch-action` alone is not
 * enough: Chromium takes the next tap for the end of a fling and fires no click.
 */
export function usePreventTouchScroll(
  element: RefObject<HTMLElement | null>,
  shouldPrevent: (event: TouchEvent) => boolean,
) {
  useEffect(() => {
    const target = element.current;
    const onMove = (event: TouchEvent) => {
      if (event.cancelable && shouldPrevent(event)) event.preventDefault();
    };
    // React's wheel listeners are passive.
    target?.addEventListener('touchmove', onMove, { passive: false });
    return () => target?.removeEventListener('touchmove', onMove);
  });
}
