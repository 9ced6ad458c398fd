import { isEnded, type Job, type Preview } from '#libs/contract/jobs.js';
import type { JobDelta, JobPosition, JobPreview } from '#libs/contract/events.js';
import { RunStore, type RunEntry, type Schedule } from './run-store';

/** A job and its text. Each change creates a new object. */
export interface JobView {
  readonly job: Job;
  readonly text: string;
}

export interface JobStoreOptions {
  /** Fetches a job with its text so far (`partial`). @returns null if there is no such job */
  fetch: (id: string) => Promise<Job | null>;
  wait: (milliseconds: number) => Promise<void>;
  schedule: Schedule;
  /** Monotonic clock in milliseconds. Default: `performance.now`. */
  now?: () => number;
}

interface Entry extends RunEntry<Job, JobView> {
  /** Number of the attempt that `text` belongs to. */
  attempt: number;
  text: string;
  /** Deltas that can't be applied yet because text before them is missing. */
  pendingDeltas: JobDelta[];
  /** Time of the job's first start by this device's clock; null while unknown. */
  startedAt: number | null;
  /** The fetch in progress, or null. Resolves to true if the job exists. */
  fetching: Promise<boolean> | null;
  /** True if the job may have changed since the current fetch began, so that another fetch must follow. */
  refetch: boolean;
}

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 4_000;

/** The user's jobs and their streamed texts. If a delta is missing, the store fetches the job. */
export class JobStore extends RunStore<Job, JobView, Entry> {
  private readonly now: () => number;

  constructor(private readonly options: JobStoreOptions) {
    super(options.schedule);
    this.now = options.now ?? (() => performance.now());
  }

  protected createEntry = (): Entry => ({
    run: null,
    view: null,
    attempt: 0,
    text: '',
    pendingDeltas: [],
    startedAt: null,
    fetching: null,
    refetch: false,
  });

  protected viewOf = ({ text }: Entry, job: Job): JobView => ({ job, text });
  protected isOpen = ({ status }: Job) => !isEnded(status);
  protected isReportedEnd = ({ status }: Job) => isEnded(status);

  protected merge({ partial: _, ...job }: Job, before: Job | null): Job {
    return withoutRegress(job, before);
  }

  /** Updates the text: HTTP responses have the text so far in `partial`, events don't. */
  protected applyDetails(entry: Entry, { partial, attempts, progress }: Job): void {
    noteStart(entry, progress, this.now());
    if (attempts > entry.attempt) restart(entry, attempts);
    if (partial != null && attempts === entry.attempt && partial.length > entry.text.length) {
      entry.text = partial;
      applyPending(entry);
    }
    if (entry.run !== null && isEnded(entry.run.status)) finish(entry, entry.run);
  }

  /** Seconds from the job's first start to `now`, a time of the store's clock; null before the start. */
  secondsSinceStart({ id, progress }: Job, now: number): number | null {
    const startedAt = this.entries.get(id)?.startedAt;
    if (startedAt == null) return progress.elapsedSeconds;
    return Math.max(progress.elapsedSeconds ?? 0, (now - startedAt) / 1000);
  }

  applyDelta(delta: JobDelta): void {
    const entry = this.entry(delta.id);
    if (entry.run !== null && isEnded(entry.run.status)) return;
    if (delta.attempt < entry.attempt) return;
    if (delta.attempt > entry.attempt) restart(entry, delta.attempt);
    entry.pendingDeltas.push(delta);
    applyPending(entry);
    this.markChanged(entry);
    if (isIncomplete(entry) && entry.fetching === null) void this.refresh(delta.id);
  }

  applyPosition({ id, ...position }: JobPosition): void {
    const entry = this.entries.get(id);
    if (entry?.run?.status !== 'queued') return;
    entry.run = { ...entry.run, ...position };
    this.markChanged(entry);
  }

  applyPreview({ id, ...preview }: JobPreview): void {
    const entry = this.entries.get(id);
    if (entry?.run?.status !== 'running' || preview.attempt < entry.run.attempts) return;
    if (entry.run.preview && isOlderPreview(preview, entry.run.preview)) return;
    entry.run = { ...entry.run, preview };
    this.markChanged(entry);
  }

  /** Fetches a job, repeatedly if needed, until its text has no gap. @returns false if there is no such job */
  refresh(id: string): Promise<boolean> {
    const entry = this.entry(id);
    entry.refetch = true;
    entry.fetching ??= this.fetchUntilComplete(id, entry).finally(() => (entry.fetching = null));
    return entry.fetching;
  }

  /** Fetches all unfinished jobs. Call this after a lost connection, during which events may have been missed. */
  resync(): void {
    for (const [id, entry] of this.entries) {
      if (entry.run === null || !isEnded(entry.run.status)) void this.refresh(id);
    }
  }

  private async fetchUntilComplete(id: string, entry: Entry): Promise<boolean> {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      entry.refetch = false;
      const response = await this.options.fetch(id).catch(() => undefined);
      if (this.entries.get(id) !== entry) return false;
      if (response === null) {
        this.remove(id);
        return false;
      }
      if (response === undefined) entry.refetch = true;
      else this.put(response);
      if (!entry.refetch && !isIncomplete(entry)) return true;
      await this.options.wait(wait);
      if (this.entries.get(id) !== entry) return false;
    }
  }
}

function isIncomplete(entry: Entry): boolean {
  return entry.run === null || entry.pendingDeltas.length > 0;
}

/** True if `one` is older than `other`, or the same preview. */
export const isOlderPreview = (one: Preview, other: Preview): boolean =>
  one.attempt === other.attempt ? one.index <= other.index : one.attempt < other.attempt;

/** Keeps the higher percentage and the newer preview, since responses can be older than earlier events. */
function withoutRegress(job: Job, before: Job | null): Job {
  if (before === null || isEnded(job.status)) return job;
  const percent = Math.max(job.progress.percent, before.progress.percent);
  const isNewerStored =
    job.status === 'running' &&
    before.preview?.attempt === job.attempts &&
    (job.preview === null || isOlderPreview(job.preview, before.preview));
  return {
    ...job,
    progress: { ...job.progress, percent },
    preview: isNewerStored ? before.preview : job.preview,
  };
}

/**
 * Computes the start by this device's clock, since the server's clock may differ. An event that arrives late gives too late
 * a start, so keep the earliest.
 */
function noteStart(entry: Entry, { elapsedSeconds }: Job['progress'], now: number): void {
  if (elapsedSeconds === null) return;
  entry.startedAt = Math.min(entry.startedAt ?? Infinity, now - elapsedSeconds * 1000);
}

function restart(entry: Entry, attempt: number): void {
  entry.attempt = attempt;
  entry.text = '';
  entry.pendingDeltas = [];
}

/**
 * Sets the text of an ended job to its result, or to '' if the result was deleted. Without a result, keeps the text so far.
 */
function finish(entry: Entry, job: Job): void {
  entry.pendingDeltas = [];
  const content = job.result?.['content'];
  if (typeof content === 'string') entry.text = content;
  if (job.resultDeleted) entry.text = '';
}

/** Appends the pending deltas up to the first gap. Deltas can overlap the text, so only their new part is appended. */
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
