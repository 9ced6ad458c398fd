import { clear, createStore, del, get, keys, set } from 'idb-keyval';

const store = createStore('drafts', 'files');

/** Files chosen in forms, kept in IndexedDB. Does nothing if the database is not available. */
export const fileDrafts = {
  async read(name: string): Promise<File | null> {
    try {
      const file: unknown = await get(name, store);
      return file instanceof File ? file : null;
    } catch {
      return null;
    }
  },
  /** The names that begin so. */
  async names(prefix: string): Promise<string[]> {
    try {
      return (await keys<string>(store)).filter((name) => name.startsWith(prefix));
    } catch {
      return [];
    }
  },
  async write(name: string, file: File | null): Promise<void> {
    try {
      await (file === null ? del(name, store) : set(name, file, store));
    } catch {
      // The file is lost on reload.
    }
  },
  async clearAll(): Promise<void> {
    try {
      await clear(store);
    } catch {
      // Nothing is stored.
    }
  },
};

export type FileDrafts = typeof fileDrafts;
