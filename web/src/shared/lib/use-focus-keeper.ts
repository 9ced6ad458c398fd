import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Keeps the focus near a pressed button that disappears with what it did: on its row (`li`) if that stays, or else on the
 * element itself. Rows and element need a `tabIndex`.
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
