import { useSyncExternalStore } from 'react';

let open = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Whether the command palette is open; its code is loaded when it first is. */
export const palette = {
  show: () => set(true),
  close: () => set(false),
  toggle: () => set(!open),
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePaletteOpen = (): boolean => useSyncExternalStore(subscribe, () => open);
