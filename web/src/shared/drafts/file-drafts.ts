import { clear, createStore, del, get, set } from 'idb-keyval';

const store = createStore('drafts', 'files');

/** Files that users chose in forms, kept in this browser over a reload. A closed database keeps nothing. */
export const fileDrafts = {
  async read(name: string): Promise<File | null> {
    try {
      const kept: unknown = await get(name, store);
      return kept instanceof File ? kept : null;
    } catch {
      return null;
    }
  },
  async write(name: string, file: File | null): Promise<void> {
    try {
      await (file === null ? del(name, store) : set(name, file, store));
    } catch {
      // The form still works, its file just does not outlive a reload.
    }
  },
  async forgetAll(): Promise<void> {
    try {
      await clear(store);
    } catch {
      // A closed database holds nothing to forget.
    }
  },
};
