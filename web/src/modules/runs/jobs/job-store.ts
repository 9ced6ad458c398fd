import { isEnded, type Job, type Preview } from '#libs/contract/jobs.js';
import type { JobDelta, JobPosition, JobPreview } from '#libs/contract/events.js';

/** A job and its text; a new object on each change. */
export interface JobView {
  readonly job: Job;
  readonly text: string;
}

export interface JobStoreOptions {
  /** Fetches a job with its `partial`; null if there is no such job. */
  fetch: (id: string) => Promise<Job | null>;
  wait: (milliseconds: number) => Promise<void>;
  /** Calls back once, in the next frame, so that many events cause one render. */
  schedule: (flush: () => void) => void;
  /** Milliseconds from any time on. Default: `performance.now`. */
  now?: () => number;
}

interface Entry {
  /** Null while only deltas have arrived. */
  job: Job | null;
  /** The attempt that `text` belongs to. */
  attempt: number;
  text: string;
  /** Deltas behind a gap. */
  pendingDeltas: JobDelta[];
  /** When the job was first started, by this device's clock; null while that is unknown. */
  startedAt: number | null;
  /** The fetch in progress; resolves to whether the job exists. */
  fetching: Promise<boolean> | null;
  /** Whether to fetch again: something may have changed since the current fetch began. */
  refetch: boolean;
  view: JobView | null;
}

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 4_000;

/**
 * Every job that this client knows. Whole jobs (events, responses) and text deltas can arrive in any order, more than
 * once or not at all; gaps in the text are closed by fetching the job.
 */
export class JobStore {
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<() => void>();
  private readonly endListeners = new Set<(job: Job) => void>();
  private jobs: readonly Job[] = [];
  private readonly changed = new Set<Entry>();
  private scheduled = false;

  private readonly now: () => number;

  constructor(private readonly options: JobStoreOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Calls the listener for each known job that ends. */
  onEnd(listener: (job: Job) => void): () => void {
    this.endListeners.add(listener);
    return () => this.endListeners.delete(listener);
  }

  /** Null while the job is unknown. */
  view(id: string): JobView | null {
    return this.entries.get(id)?.view ?? null;
  }

  /** All known jobs, newest first; the same array until one of them changes. */
  list(): readonly Job[] {
    return this.jobs;
  }

  /** Stores a whole job: an event (without `partial`) or a response (with it). An older revision changes only the text. */
  put(job: Job): void {
    const entry = this.entry(job.id);
    const { partial, ...rest } = job;
    const before = entry.job;
    if (before === null || rest.revision >= before.revision) entry.job = notBehind(rest, before);
    noteStart(entry, rest, this.now());
    if (job.attempts > entry.attempt) restart(entry, job.attempts);
    const wasEnded = before !== null && isEnded(before.status);
    if (partial != null && job.attempts === entry.attempt && partial.length > entry.text.length) {
      entry.text = partial;
      applyPending(entry);
    }
    if (entry.job !== null && isEnded(entry.job.status)) finish(entry, entry.job);
    this.markChanged(entry);
    if (before !== null && !wasEnded && isEnded(rest.status)) {
      for (const listener of this.endListeners) listener(rest);
    }
  }

  /** Since the job was first started, at a time of the store's clock; null before that. */
  secondsSinceStart({ id, progress }: Job, now: number): number | null {
    const startedAt = this.entries.get(id)?.startedAt;
    if (startedAt == null) return progress.elapsedSeconds;
    return Math.max(progress.elapsedSeconds ?? 0, (now - startedAt) / 1000);
  }

  applyDelta(delta: JobDelta): void {
    const entry = this.entry(delta.id);
    if (entry.job !== null && isEnded(entry.job.status)) return;
    if (delta.attempt < entry.attempt) return;
    if (delta.attempt > entry.attempt) restart(entry, delta.attempt);
    entry.pendingDeltas.push(delta);
    applyPending(entry);
    this.markChanged(entry);
    if (isIncomplete(entry) && entry.fetching === null) void this.refresh(delta.id);
  }

  applyPosition({ id, ...position }: JobPosition): void {
    const entry = this.entries.get(id);
    if (entry?.job?.status !== 'queued') return;
    entry.job = { ...entry.job, ...position };
    this.markChanged(entry);
  }

  applyPreview({ id, ...preview }: JobPreview): void {
    const entry = this.entries.get(id);
    if (entry?.job?.status !== 'running' || preview.attempt < entry.job.attempts) return;
    if (entry.job.preview && isOlderPreview(preview, entry.job.preview)) return;
    entry.job = { ...entry.job, preview };
    this.markChanged(entry);
  }

  /** Fetches a job until it is known and its text has no gap. @returns false if there is no such job */
  refresh(id: string): Promise<boolean> {
    const entry = this.entry(id);
    entry.refetch = true;
    entry.fetching ??= this.fetchUntilComplete(id, entry).finally(() => (entry.fetching = null));
    return entry.fetching;
  }

  /** Fetches every job that has not ended: events may have been missed while the connection was lost. */
  resync(): void {
    for (const [id, entry] of this.entries) {
      if (entry.job === null || !isEnded(entry.job.status)) void this.refresh(id);
    }
  }

  private entry(id: string): Entry {
    let entry = this.entries.get(id);
    if (entry === undefined) {
      entry = {
        job: null,
        attempt: 0,
        text: '',
        pendingDeltas: [],
        startedAt: null,
        fetching: null,
        refetch: false,
        view: null,
      };
      this.entries.set(id, entry);
    }
    return entry;
  }

  private async fetchUntilComplete(id: string, entry: Entry): Promise<boolean> {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      entry.refetch = false;
      const response = await this.options.fetch(id).catch(() => undefined);
      if (this.entries.get(id) !== entry) return false;
      if (response === null) {
        this.entries.delete(id);
        this.markChanged(entry);
        return false;
      }
      if (response === undefined) entry.refetch = true;
      else this.put(response);
      if (!entry.refetch && !isIncomplete(entry)) return true;
      await this.options.wait(wait);
      if (this.entries.get(id) !== entry) return false;
    }
  }

  private markChanged(entry: Entry): void {
    this.changed.add(entry);
    if (this.scheduled) return;
    this.scheduled = true;
    this.options.schedule(() => this.flush());
  }

  /** Notifies the listeners now, not in the next frame. */
  flush(): void {
    this.scheduled = false;
    let jobChanged = false;
    for (const entry of this.changed) {
      if (entry.job === null) continue;
      if (entry.view?.job !== entry.job) jobChanged = true;
      entry.view = { job: entry.job, text: entry.text };
    }
    this.changed.clear();
    if (jobChanged || this.jobs.some(({ id }) => !this.entries.has(id))) {
      this.jobs = [...this.entries.values()]
        .flatMap(({ view }) => (view === null ? [] : [view.job]))
        .sort((one, other) => other.createdAt.localeCompare(one.createdAt));
    }
    for (const listener of this.listeners) listener();
  }
}

function isIncomplete(entry: Entry): boolean {
  return entry.job === null || entry.pendingDeltas.length > 0;
}

/** Whether a preview came before another one, or is the same. */
export const isOlderPreview = (one: Preview, other: Preview): boolean =>
  one.attempt === other.attempt ? one.index <= other.index : one.attempt < other.attempt;

/** A job whose bar and preview do not go back, whichever answer comes last. */
function notBehind(job: Job, before: Job | null): Job {
  if (before === null || isEnded(job.status)) return job;
  const percent = Math.max(job.progress.percent, before.progress.percent);
  const isKept =
    job.status === 'running' &&
    before.preview?.attempt === job.attempts &&
    (job.preview === null || isOlderPreview(job.preview, before.preview));
  return {
    ...job,
    progress: { ...job.progress, percent },
    preview: isKept ? before.preview : job.preview,
  };
}

/** What arrives late makes a job look younger than it is. The clocks of server and device may differ by any amount. */
function noteStart(entry: Entry, { progress: { elapsedSeconds } }: Job, now: number): void {
  if (elapsedSeconds === null) return;
  entry.startedAt = Math.min(entry.startedAt ?? Infinity, now - elapsedSeconds * 1000);
}

function restart(entry: Entry, attempt: number): void {
  entry.attempt = attempt;
  entry.text = '';
  entry.pendingDeltas = [];
}

/** The text of an ended job is its result, until it is deleted; without a result it stays as it is. */
function finish(entry: Entry, job: Job): void {
  entry.pendingDeltas = [];
  const content = job.result?.['content'];
  if (typeof content === 'string') entry.text = content;
  if (job.resultDeleted) entry.text = '';
}

/** Appends the new part of each delta that has no gap before it. */
function applyPending(entry: Entry): void {
  const inOrder = entry.pendingDeltas.sort((one, other) => one.offset - other.offset);
  let applied = 0;
  for (const { offset, text } of inOrder) {
    if (offset > entry.text.length) break;
    if (offset + text.length > entry.text.length) entry.text += text.slice(entry.text.length - offset);
    applied += 1;
  }
  entry.pendingDeltas = inOrder.slice(applied);
}
