import { clear, createStore, del, get, keys, set } from 'idb-keyval';
import type { ToolName } from '#libs/tools/catalogue.js';
import { ignoreRejection } from '../lib/ignore-errors';

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
  read: (name: string): Promise<File | null> =>
    ignoreRejection(null, async () => {
      const file: unknown = await get(name, store);
      return file instanceof File ? file : null;
    }),
  names: (prefix: string): Promise<string[]> =>
    ignoreRejection([], async () => (await keys<string>(store)).filter((name) => name.startsWith(prefix))),
  write: (name: string, file: File | null): Promise<void> =>
    ignoreRejection(undefined, () => (file === null ? del(name, store) : set(name, file, store))),
  clearAll: (): Promise<void> => ignoreRejection(undefined, () => clear(store)),
};

export type FileDrafts = typeof fileDrafts;

/** The input images of jobs, stored like the drafts. */
export const sentImages = {
  read: (name: string): Promise<SentImage | null> =>
    ignoreRejection(null, async () => (await get<SentImage>(name, store)) ?? null),
  write: (name: string, sent: SentImage): Promise<void> =>
    ignoreRejection(undefined, () => set(name, sent, store)),
};
