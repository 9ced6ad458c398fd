import { useSyncExternalStore } from 'react';

const KEY = 'jobs-dismissed';
/** Jobs leave the list by themselves before so many more are dismissed. */
const MOST = 200;
const listeners = new Set<() => void>();
let known = read();

function read(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function change(ids: readonly string[]): void {
  known = ids;
  try {
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Closed storage: they are gone from this tab alone.
  }
  for (const listener of listeners) listener();
}

/** Ended jobs that the user has seen or put away, in every tab of this browser. */
export const dismissed = {
  add(...ids: string[]): void {
    const fresh = ids.filter((id) => !known.includes(id));
    if (fresh.length > 0) change([...read().filter((id) => !fresh.includes(id)), ...fresh].slice(-MOST));
  },
};

function subscribe(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== KEY && key !== null) return;
    known = read();
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

export const useDismissed = (): readonly string[] => useSyncExternalStore(subscribe, () => known);
