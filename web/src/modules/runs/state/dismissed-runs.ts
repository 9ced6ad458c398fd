import { useSyncExternalStore } from 'react';
import { ignoreErrors } from '../../../shared/lib/ignore-errors';

const KEY = 'jobs-dismissed';
/** Maximum number of stored IDs, more than the tray shows. */
const MAX_REMEMBERED = 200;
const listeners = new Set<() => void>();
let current = read();

function read(): readonly string[] {
  const stored = ignoreErrors(() => JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown);
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
}

function change(ids: readonly string[]): void {
  current = ids;
  ignoreErrors(() => localStorage.setItem(KEY, JSON.stringify(ids)));
  for (const listener of listeners) listener();
}

/** IDs of ended jobs, batches and flows that the user has opened or dismissed. All tabs share the list. */
export const dismissedRuns = {
  add(...ids: string[]): void {
    const fresh = ids.filter((id) => !current.includes(id));
    if (fresh.length > 0)
      change([...read().filter((id) => !fresh.includes(id)), ...fresh].slice(-MAX_REMEMBERED));
  },
};

function subscribe(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== KEY && key !== null) return;
    current = read();
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

export const useDismissedRuns = (): readonly string[] => useSyncExternalStore(subscribe, () => current);
