import type { BatchItem } from '#libs/contract/batches.js';
import { ApiFailure } from '../http/http';
import type { BatchFiles } from './batch-files';
import type { BatchStore } from './batch-store';

/** What this tab does to send the pictures of a batch. */
export interface UploadState {
  /** The numbers of pictures whose files this browser has. */
  here: ReadonlySet<number>;
  sending: ReadonlySet<number>;
  /** Those that arrived; their batch says so a moment later. */
  sent: ReadonlySet<number>;
  /** Why a picture cannot be used, by its number. */
  refused: ReadonlyMap<number, string>;
  /** Why sending waits; it goes on by itself, unless the plan is missing. */
  problem: ApiFailure | null;
}

export const noUploads: UploadState = {
  here: new Set(),
  sending: new Set(),
  sent: new Set(),
  refused: new Map(),
  problem: null,
};

interface Entry {
  state: UploadState;
  files: Map<number, File>;
  running: boolean;
  failures: number;
  paused: boolean;
  /** Pending while sending waits. */
  gate: Promise<void>;
  open: () => void;
}

export interface UploadOptions {
  userId: string;
  store: BatchStore;
  files: BatchFiles;
  send: (batch: string, n: number, file: File) => Promise<BatchItem>;
  /** Reads a batch again that turned out to be different. */
  refresh: (batch: string) => Promise<void>;
  /** Runs the work in one tab of the browser at a time. */
  alone: (name: string, work: () => Promise<void>) => Promise<void>;
  wait: (milliseconds: number, stop: Promise<void>) => Promise<void>;
}

/** One less than the server takes of a user at once, for what else the user sends. */
const AT_ONCE = 3;
const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 30_000;

/** The same picture will be refused again. */
const pictureErrors: readonly ApiFailure['code'][] = [
  'VALIDATION_FAILED',
  'FILE_TOO_LARGE',
  'UNSUPPORTED_FILE',
  'UNREADABLE_IMAGE',
];
/** The batch or the picture is not there any more. */
const goneErrors: readonly ApiFailure['code'][] = ['NOT_FOUND', 'JOB_CANCELLED'];
/** Waiting does not help. */
const finalErrors: readonly ApiFailure['code'][] = ['PREMIUM_REQUIRED', 'UNAUTHENTICATED'];

/** Sends the pictures of batches, a few at a time, and again after whatever keeps one from arriving. */
export class BatchUploads {
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<() => void>();
  private stopped = false;

  constructor(private readonly options: UploadOptions) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  state(batch: string): UploadState {
    return this.entries.get(batch)?.state ?? noUploads;
  }

  /** Sends these files, and keeps them over a reload until they are sent. */
  add(batch: string, files: ReadonlyMap<number, File>): void {
    const entry = this.entry(batch);
    const refused = new Map(entry.state.refused);
    for (const [n, file] of files) {
      entry.files.set(n, file);
      refused.delete(n);
    }
    this.update(entry, { here: new Set([...entry.state.here, ...files.keys()]), refused });
    void this.keep(batch, files);
    this.start(batch, entry);
  }

  /** Goes on with the files that an earlier page left in this browser. */
  async resume(batch: string): Promise<void> {
    const entry = this.entry(batch);
    const kept = await this.options.files.numbers(this.options.userId, batch);
    if (kept.length === 0) return;
    this.update(entry, { here: new Set([...entry.state.here, ...kept]) });
    this.start(batch, entry);
  }

  /** Ends a pause. */
  retry(batch: string): void {
    this.entries.get(batch)?.open();
  }

  retryAll(): void {
    for (const entry of this.entries.values()) entry.open();
  }

  stop(): void {
    this.stopped = true;
    this.retryAll();
  }

  private async keep(batch: string, files: ReadonlyMap<number, File>): Promise<void> {
    for (const [n, file] of files) {
      if (this.stopped) return;
      if (this.state(batch).here.has(n)) await this.options.files.write(this.options.userId, batch, n, file);
      // It may have been sent while it was written.
      if (!this.state(batch).here.has(n)) await this.options.files.remove(this.options.userId, batch, n);
    }
  }

  private start(batch: string, entry: Entry): void {
    entry.open();
    if (entry.running) return;
    entry.running = true;
    void this.options
      .alone(`batch:${batch}`, async () => {
        await Promise.all(Array.from({ length: AT_ONCE }, () => this.sendNext(batch, entry)));
      })
      .finally(() => {
        entry.running = false;
        // Files that came while the last ones were sent.
        if (!this.stopped && this.next(batch, entry) !== undefined) this.start(batch, entry);
      });
  }

  private async sendNext(batch: string, entry: Entry): Promise<void> {
    for (;;) {
      await entry.gate;
      const n = this.stopped ? undefined : this.next(batch, entry);
      if (n === undefined) return;
      this.update(entry, { sending: new Set([...entry.state.sending, n]) });
      await this.sendOne(batch, entry, n);
      this.update(entry, { sending: without(entry.state.sending, n) });
    }
  }

  private async sendOne(batch: string, entry: Entry, n: number): Promise<void> {
    const { userId, files, send, store, refresh } = this.options;
    try {
      const file = entry.files.get(n) ?? (await files.read(userId, batch, n));
      if (file !== null) {
        store.putItem(batch, await send(batch, n, file));
        this.update(entry, { sent: new Set([...entry.state.sent, n]) });
      }
      entry.failures = 0;
      this.forget(batch, entry, n);
    } catch (error) {
      const failure = error instanceof ApiFailure ? error : null;
      if (failure !== null && pictureErrors.includes(failure.code)) {
        this.update(entry, { refused: new Map([...entry.state.refused, [n, failure.message]]) });
        this.forget(batch, entry, n);
      } else if (failure !== null && goneErrors.includes(failure.code)) {
        this.forget(batch, entry, n);
        await refresh(batch).catch(() => undefined);
      } else {
        this.pause(entry, failure);
      }
    }
  }

  private pause(entry: Entry, failure: ApiFailure | null): void {
    if (entry.paused || this.stopped) return;
    entry.paused = true;
    const problem =
      failure ?? new ApiFailure('INTERNAL', 'This picture could not be sent just now.', { status: 0 });
    const opened = new Promise<void>((resolve) => (entry.open = resolve));
    const backoff = Math.min(FIRST_WAIT_MS * 2 ** entry.failures, MAX_WAIT_MS);
    entry.failures += 1;
    const milliseconds =
      problem.code === 'STORAGE_FULL' ? MAX_WAIT_MS : (problem.retryAfterSeconds ?? 0) * 1000 || backoff;
    const waited = finalErrors.includes(problem.code) ? opened : this.options.wait(milliseconds, opened);
    entry.gate = waited.then(() => void (entry.paused = false));
    this.update(entry, { problem });
  }

  private next(batch: string, { state }: Entry): number | undefined {
    const { store } = this.options;
    const items = store.view(batch)?.items;
    return [...state.here].find((n) => {
      if (state.sending.has(n)) return false;
      const item = items?.find((candidate) => candidate.n === n);
      return item === undefined || item.state === 'missing';
    });
  }

  private forget(batch: string, entry: Entry, n: number): void {
    entry.files.delete(n);
    // It stays until a picture arrives, so that it is not told again with each attempt.
    this.update(entry, { here: without(entry.state.here, n), problem: null });
    void this.options.files.remove(this.options.userId, batch, n);
  }

  private entry(batch: string): Entry {
    const known = this.entries.get(batch);
    if (known !== undefined) return known;
    const entry: Entry = {
      state: noUploads,
      files: new Map(),
      running: false,
      failures: 0,
      paused: false,
      gate: Promise.resolve(),
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

/** Which missing pictures these files are: those of the same name and size, else the next of the same size. */
export function matchFiles(
  items: readonly Pick<BatchItem, 'n' | 'name' | 'size' | 'state'>[],
  files: readonly File[],
): Map<number, File> {
  const found = new Map<number, File>();
  const missing = items.filter(({ state }) => state === 'missing');
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
