import { useEffect, type RefObject } from 'react';

/**
 * Prevents scrolling by touch moves for which `shouldPrevent` returns true. `touch-action` alone is not enough: after a fast
 * move, Chromium would treat the next tap as the end of a fling and fire no click.
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
    // React's touch listeners are passive, so they can't prevent scrolling.
    target?.addEventListener('touchmove', onMove, { passive: false });
    return () => target?.removeEventListener('touchmove', onMove);
  });
}
