import { clear, createStore, del, get, keys, set } from 'idb-keyval';
import type { ToolName } from '#libs/tools/catalogue.js';

const store = createStore('drafts', 'files');

/** The input images of a job, as sent. */
export interface SentImage {
  tool: ToolName;
  jobId: string;
  /** Milliseconds of `Date.now()`. */
  time: number;
  image: File;
  input: Readonly<Record<string, unknown>>;
  mask: Blob | null;
}

/** Files chosen in forms, in IndexedDB. Does nothing if the database is unavailable. */
export const fileDrafts = {
  async read(name: string): Promise<File | null> {
    try {
      const file: unknown = await get(name, store);
      return file instanceof File ? file : null;
    } catch {
      return null;
    }
  },
  /** The names with this prefix. */
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

/** The input images of jobs, stored like the drafts. */
export const sentImages = {
  async read(name: string): Promise<SentImage | null> {
    try {
      return (await get<SentImage>(name, store)) ?? null;
    } catch {
      return null;
    }
  },
  async write(name: string, sent: SentImage): Promise<void> {
    try {
      await set(name, sent, store);
    } catch {
      // The original is lost on reload.
    }
  },
};
