import { useSyncExternalStore } from 'react';

let open = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Opens and closes the command palette. Its code loads when it first opens. */
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
