import { useEffect, useEffectEvent, type RefObject } from 'react';
import { pressKey, worksOn, type KeyTarget } from './editor-keys';

/** Handles keys while the focus is on another control than the editor's `pane`. In a dialog, on any of its controls. */
export function useKeysElsewhere(
  root: RefObject<HTMLElement | null>,
  pane: RefObject<HTMLElement | null>,
  keys: KeyTarget,
) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isOwn = event.target === pane.current || event.defaultPrevented;
    if (!isOwn && worksOn(event, event.target) && pressKey(event, keys)) event.preventDefault();
  });
  useEffect(() => {
    const scope = root.current?.closest<HTMLElement>('[role=dialog]') ?? root.current;
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    scope?.addEventListener('keydown', listener);
    return () => scope?.removeEventListener('keydown', listener);
  }, [root]);
}
