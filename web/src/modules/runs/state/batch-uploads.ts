import type { BatchItem } from '#libs/contract/batches.js';
import { ApiFailure } from '../../../shared/http/http';
import type { BatchFiles } from './batch-files';
import type { BatchStore } from './batch-store';

/** The state of a batch's uploads in this tab. */
export interface UploadState {
  /** Numbers of the pictures whose files this browser has and must still upload. */
  stored: ReadonlySet<number>;
  sending: ReadonlySet<number>;
  /** Numbers of the uploaded pictures. The batch's own counts include them a moment later. */
  sent: ReadonlySet<number>;
  /** Error messages of rejected pictures, by number. */
  refused: ReadonlyMap<number, string>;
  /** Error that pauses the uploads; null if there is none. Uploads resume automatically, except after `finalErrors`. */
  problem: ApiFailure | null;
}

export const noUploads: UploadState = {
  stored: new Set(),
  sending: new Set(),
  sent: new Set(),
  refused: new Map(),
  problem: null,
};

interface Entry {
  state: UploadState;
  files: Map<number, File>;
  /** Numbers of pictures that the user sends again. Not stored across reloads, since a second job may be charged. */
  resent: Set<number>;
  failures: number;
  paused: boolean;
  /** Ends the current pause early. */
  open: () => void;
}

export interface UploadOptions {
  userId: string;
  store: BatchStore;
  files: BatchFiles;
  send: (batch: string, n: number, file: File) => Promise<BatchItem>;
  /** Fetches a batch again after the server rejected a picture for the batch's state. */
  refresh: (batch: string) => Promise<void>;
  /** Runs the work while holding a lock, so that only one tab works at a time. */
  withLock: (name: string, work: () => Promise<void>) => Promise<void>;
  wait: (milliseconds: number, stop: Promise<void>) => Promise<void>;
}

/** Maximum number of simultaneous uploads: one less than the server allows a user, to leave room for other requests. */
const AT_ONCE = 3;
const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 30_000;

/** Errors that concern the picture itself, so don't retry it. */
const pictureErrors: readonly ApiFailure['code'][] = [
  'VALIDATION_FAILED',
  'FILE_TOO_LARGE',
  'UNSUPPORTED_FILE',
  'UNREADABLE_IMAGE',
];
/** Errors which show that the batch no longer accepts the picture, so drop it. */
const closedErrors: readonly ApiFailure['code'][] = ['NOT_FOUND', 'JOB_CANCELLED', 'JOB_NOT_RETRYABLE'];
/** Errors that the user has to solve, so don't resume uploads automatically. */
const finalErrors: readonly ApiFailure['code'][] = [
  'INSUFFICIENT_CREDITS',
  'PREMIUM_REQUIRED',
  'UNAUTHENTICATED',
];

/** Uploads the pictures of batches, a few at a time, and retries failed uploads. */
export class BatchUploads {
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<() => void>();
  private stopped = true;
  /** True while this tab holds the upload lock or waits for it. */
  private waiting = false;
  private sending = 0;
  /** Releases the upload lock for other tabs; null while this tab doesn't hold the lock. */
  private release: (() => void) | null = null;
  private unsubscribe: () => void = () => undefined;

  constructor(private readonly options: UploadOptions) {}

  start(): void {
    this.stopped = false;
    this.unsubscribe = this.options.store.subscribe(() => this.forgetUnwanted());
    this.sendMore();
  }

  stop(): void {
    this.stopped = true;
    this.unsubscribe();
    this.retryAll();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  state(batch: string): UploadState {
    return this.entries.get(batch)?.state ?? noUploads;
  }

  /** Queues files by number. Pictures sent for the first time are stored across reloads until they are uploaded. */
  add(batch: string, files: ReadonlyMap<number, File>): void {
    const entry = this.entry(batch);
    const refused = new Map(entry.state.refused);
    const first = new Map(files);
    for (const [n, file] of files) {
      entry.files.set(n, file);
      refused.delete(n);
      if (!this.isSendableAgain(batch, n)) continue;
      entry.resent.add(n);
      first.delete(n);
    }
    this.update(entry, { stored: new Set([...entry.state.stored, ...files.keys()]), refused });
    void this.storeFiles(batch, first);
    this.forgetUnwanted();
    entry.open();
    this.sendMore();
  }

  /** Resumes uploads that a reload or a closed tab interrupted, and deletes the stored files of closed batches. */
  async resumeAll(): Promise<void> {
    const { userId, files, store, refresh } = this.options;
    for (const batch of await files.batches(userId)) {
      if (store.view(batch) === null) {
        const error: unknown = await refresh(batch).then(
          () => null,
          (reason: unknown) => reason,
        );
        if (error instanceof ApiFailure && closedErrors.includes(error.code))
          for (const n of await files.numbers(userId, batch)) await files.remove(userId, batch, n);
        if (error !== null) continue;
        store.flush();
      }
      await this.resume(batch);
    }
  }

  async resume(batch: string): Promise<void> {
    const entry = this.entry(batch);
    const numbers = await this.options.files.numbers(this.options.userId, batch);
    if (numbers.length === 0) return;
    this.update(entry, { stored: new Set([...entry.state.stored, ...numbers]) });
    this.forgetUnwanted();
    this.sendMore();
  }

  /** Ends a pause early, for example after the user changed the plan. */
  retry(batch: string): void {
    this.entries.get(batch)?.open();
  }

  retryAll(): void {
    for (const entry of this.entries.values()) entry.open();
  }

  private async storeFiles(batch: string, files: ReadonlyMap<number, File>): Promise<void> {
    for (const [n, file] of files) {
      if (this.stopped) return;
      if (this.state(batch).stored.has(n))
        await this.options.files.write(this.options.userId, batch, n, file);
      // If the upload ended during the write, delete the file that was just written.
      if (!this.state(batch).stored.has(n)) await this.options.files.remove(this.options.userId, batch, n);
    }
  }

  /** Starts uploads once this tab holds the lock: only one tab uploads at a time, to stay below the server's limit. */
  private sendMore(): void {
    this.fillSlots();
    if (this.waiting || this.next() === null) return;
    this.waiting = true;
    const work = () =>
      new Promise<void>((resolve) => {
        this.release = resolve;
        this.fillSlots();
      });
    void this.options.withLock('batch-uploads', work).finally(() => {
      this.waiting = false;
      // Files may have been added after the lock was released.
      this.sendMore();
    });
  }

  private fillSlots(): void {
    if (this.release === null) return;
    for (let next = this.next(); next !== null && this.sending < AT_ONCE; next = this.next()) {
      this.sending += 1;
      void this.sendOne(...next).finally(() => {
        this.sending -= 1;
        this.fillSlots();
      });
    }
    if (this.sending > 0) return;
    this.release();
    this.release = null;
  }

  private async sendOne(batch: string, entry: Entry, n: number): Promise<void> {
    const { userId, files, send, store, refresh } = this.options;
    this.update(entry, { sending: new Set([...entry.state.sending, n]) });
    try {
      const file = entry.files.get(n) ?? (await files.read(userId, batch, n));
      if (file !== null) {
        store.putItem(batch, await send(batch, n, file));
        if (entry.resent.has(n)) store.flush();
        else this.update(entry, { sent: new Set([...entry.state.sent, n]) });
      }
      entry.failures = 0;
      this.forget(batch, entry, n);
    } catch (error) {
      const failure = error instanceof ApiFailure ? error : null;
      if (failure !== null && pictureErrors.includes(failure.code)) {
        this.update(entry, { refused: new Map([...entry.state.refused, [n, failure.message]]) });
        this.forget(batch, entry, n);
      } else if (failure !== null && closedErrors.includes(failure.code)) {
        this.forget(batch, entry, n);
        await refresh(batch).catch(() => undefined);
      } else {
        this.pause(entry, failure);
      }
    } finally {
      this.update(entry, { sending: without(entry.state.sending, n) });
    }
  }

  private pause(entry: Entry, failure: ApiFailure | null): void {
    if (entry.paused || this.stopped) return;
    entry.paused = true;
    const problem = failure ?? new ApiFailure('INTERNAL', 'This picture could not be sent.', { status: 0 });
    const opened = new Promise<void>((resolve) => (entry.open = resolve));
    const backoff = Math.min(FIRST_WAIT_MS * 2 ** entry.failures, MAX_WAIT_MS);
    entry.failures += 1;
    const milliseconds =
      problem.code === 'STORAGE_FULL' ? MAX_WAIT_MS : (problem.retryAfterSeconds ?? 0) * 1000 || backoff;
    const waited = finalErrors.includes(problem.code) ? opened : this.options.wait(milliseconds, opened);
    void waited.then(() => {
      entry.paused = false;
      this.sendMore();
    });
    this.update(entry, { problem });
  }

  /** The next picture to upload, from the first batch that is not paused; null if there is none. */
  private next(): [batch: string, entry: Entry, n: number] | null {
    if (this.stopped) return null;
    for (const [batch, entry] of this.entries) {
      if (entry.paused) continue;
      const n = [...entry.state.stored].find(
        (one) => !entry.state.sending.has(one) && this.isWanted(batch, entry, one),
      );
      if (n !== undefined) return [batch, entry, n];
    }
    return null;
  }

  /** True if the batch still needs this picture. */
  private isWanted(batch: string, entry: Entry, n: number): boolean {
    if (entry.resent.has(n)) return this.isSendableAgain(batch, n);
    const view = this.options.store.view(batch);
    if (view === null) return true;
    if (view.batch.status !== 'open' || view.batch.counts.missing === 0) return false;
    const item = view.items?.find((candidate) => candidate.n === n);
    return item === undefined || item.state === 'missing';
  }

  private isSendableAgain(batch: string, n: number): boolean {
    const item = this.options.store.view(batch)?.items?.find((candidate) => candidate.n === n);
    return item?.sendableAgain === true;
  }

  /** Drops pictures that the batch no longer needs: left out, cancelled, or uploaded although the response was lost. */
  private forgetUnwanted(): void {
    for (const [batch, entry] of this.entries)
      for (const n of entry.state.stored)
        if (!entry.state.sending.has(n) && !this.isWanted(batch, entry, n))
          this.forget(batch, entry, n, entry.state.stored.size > 1 ? entry.state.problem : null);
  }

  /** @param problem the error to keep, since clearing and setting it again would announce it again; null after a success */
  private forget(batch: string, entry: Entry, n: number, problem: ApiFailure | null = null): void {
    entry.files.delete(n);
    entry.resent.delete(n);
    this.update(entry, { stored: without(entry.state.stored, n), problem });
    void this.options.files.remove(this.options.userId, batch, n);
  }

  private entry(batch: string): Entry {
    const known = this.entries.get(batch);
    if (known !== undefined) return known;
    const entry: Entry = {
      state: noUploads,
      files: new Map(),
      resent: new Set(),
      failures: 0,
      paused: false,
      open: () => undefined,
    };
    this.entries.set(batch, entry);
    return entry;
  }

  private update(entry: Entry, change: Partial<UploadState>): void {
    entry.state = { ...entry.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

const without = (numbers: ReadonlySet<number>, n: number) =>
  new Set([...numbers].filter((number) => number !== n));

/** Matches files with missing pictures by name and size, and the remaining files by size only. @returns files by number */
export function matchFiles(
  items: readonly Pick<BatchItem, 'n' | 'name' | 'size' | 'state' | 'sendableAgain'>[],
  files: readonly File[],
): Map<number, File> {
  const found = new Map<number, File>();
  const missing = items.filter(({ state, sendableAgain }) => state === 'missing' || sendableAgain);
  const assign = (file: File, isSame: (item: (typeof missing)[number]) => boolean) => {
    const item = missing.find((candidate) => !found.has(candidate.n) && isSame(candidate));
    if (item !== undefined) found.set(item.n, file);
    return item !== undefined;
  };
  const rest = files.filter(
    (file) =>
      !assign(file, ({ name, size }) => size === file.size && name === file.name.normalize('NFC').trim()),
  );
  for (const file of rest) assign(file, ({ size }) => size === file.size);
  return found;
}
