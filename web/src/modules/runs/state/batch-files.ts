import { clear, createStore, del, get, keys, set } from 'idb-keyval';

const store = createStore('batches', 'files');

/** The pictures of batches that were not sent yet, in IndexedDB. Does nothing if the database is unavailable. */
export const batchFiles = {
  read: (user: string, batch: string, n: number): Promise<File | null> =>
    quietly(null, async () => {
      const file: unknown = await get(keyOf(user, batch, n), store);
      return file instanceof File ? file : null;
    }),

  /** The batches with stored pictures. */
  batches: (user: string): Promise<string[]> =>
    quietly([], async () => {
      const known = (await keys<string>(store)).map((key) => key.split('/'));
      return [...new Set(known.flatMap(([owner, batch = '']) => (owner === user ? [batch] : [])))];
    }),

  /** The numbers of the stored pictures. */
  numbers: (user: string, batch: string): Promise<number[]> =>
    quietly([], async () => {
      const prefix = keyOf(user, batch, '');
      const known = await keys<string>(store);
      return known.filter((key) => key.startsWith(prefix)).map((key) => Number(key.slice(prefix.length)));
    }),

  write: (user: string, batch: string, n: number, file: File): Promise<void> =>
    quietly(undefined, () => set(keyOf(user, batch, n), file, store)),

  remove: (user: string, batch: string, n: number): Promise<void> =>
    quietly(undefined, () => del(keyOf(user, batch, n), store)),

  clearAll: (): Promise<void> => quietly(undefined, () => clear(store)),
};

export type BatchFiles = typeof batchFiles;

const keyOf = (user: string, batch: string, n: number | '') => `${user}/${batch}/${n}`;

/** A browser can refuse to store files. */
async function quietly<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    return otherwise;
  }
}
