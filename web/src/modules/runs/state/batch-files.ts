import { clear, createStore, del, get, keys, set } from 'idb-keyval';
import { ignoreRejection } from '../../../shared/lib/ignore-errors';

const store = createStore('batches', 'files');

/** Stores pictures of batches in IndexedDB until they are uploaded. Does nothing if the database is unavailable. */
export const batchFiles = {
  read: (user: string, batch: string, n: number): Promise<File | null> =>
    ignoreRejection(null, async () => {
      const file: unknown = await get(keyOf(user, batch, n), store);
      return file instanceof File ? file : null;
    }),

  /** IDs of the batches that have stored pictures. */
  batches: (user: string): Promise<string[]> =>
    ignoreRejection([], async () => {
      const known = (await keys<string>(store)).map((key) => key.split('/'));
      return [...new Set(known.flatMap(([owner, batch = '']) => (owner === user ? [batch] : [])))];
    }),

  /** Numbers, within the batch, of the stored pictures. */
  numbers: (user: string, batch: string): Promise<number[]> =>
    ignoreRejection([], async () => {
      const prefix = keyOf(user, batch, '');
      const known = await keys<string>(store);
      return known.filter((key) => key.startsWith(prefix)).map((key) => Number(key.slice(prefix.length)));
    }),

  write: (user: string, batch: string, n: number, file: File): Promise<void> =>
    ignoreRejection(undefined, () => set(keyOf(user, batch, n), file, store)),

  remove: (user: string, batch: string, n: number): Promise<void> =>
    ignoreRejection(undefined, () => del(keyOf(user, batch, n), store)),

  clearAll: (): Promise<void> => ignoreRejection(undefined, () => clear(store)),
};

export type BatchFiles = typeof batchFiles;

const keyOf = (user: string, batch: string, n: number | '') => `${user}/${batch}/${n}`;
