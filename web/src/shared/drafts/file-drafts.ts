import { clear, createStore, del, get, keys, set } from 'idb-keyval';
import type { ToolName } from '#libs/tools/catalogue.js';
import { ignoreRejection } from '../lib/ignore-errors';

const store = createStore('drafts', 'files');

/** Input images and fields of a submitted job. */
export interface SentImage {
  tool: ToolName;
  jobId: string;
  /** Time of the submission, from `Date.now()`. */
  time: number;
  image: File;
  input: Readonly<Record<string, unknown>>;
  mask: Blob | null;
}

/** Stores files that were chosen in forms in IndexedDB. Does nothing if the database is unavailable. */
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

/** Stores input images of jobs in the same database. */
export const sentImages = {
  read: (name: string): Promise<SentImage | null> =>
    ignoreRejection(null, async () => (await get<SentImage>(name, store)) ?? null),
  write: (name: string, sent: SentImage): Promise<void> =>
    ignoreRejection(undefined, () => set(name, sent, store)),
};
