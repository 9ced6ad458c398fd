import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Returns a ref for a list's container. When a focused button inside it is removed, moves the focus to the button's row
 * (`li`)
 * if the row remains, or else to the container. Rows and container need a `tabIndex`.
 */
export function useFocusKeeper<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null);
  const focused = useRef<{ target: HTMLElement; row: HTMLElement | null } | null>(null);
  useEffect(() => {
    const container = element.current;
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) focused.current = { target, row: target.closest('li') };
    };
    container?.addEventListener('focusin', remember);
    return () => container?.removeEventListener('focusin', remember);
  }, []);
  useLayoutEffect(() => {
    if (focused.current === null || focused.current.target.isConnected) return;
    const { row } = focused.current;
    focused.current = null;
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    (row?.isConnected ? row : element.current)?.focus({ preventScroll: true });
  });
  return element;
}
