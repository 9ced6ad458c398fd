import { useSyncExternalStore } from 'react';

let open = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Opens and closes the command palette, whose code loads when it is first opened. */
export const commandPalette = {
  show: () => set(true),
  close: () => set(false),
  toggle: () => set(!open),
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useCommandPaletteOpen = (): boolean => useSyncExternalStore(subscribe, () => open);
