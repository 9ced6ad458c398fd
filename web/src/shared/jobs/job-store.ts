import { isEnded, type Job } from '#libs/contract/jobs.js';
import type { JobDelta, JobPosition } from '#libs/contract/events.js';

/** A job and its text as a screen shows them; a new object at each change. */
export interface JobView {
  readonly job: Job;
  readonly text: string;
}

export interface JobStoreOptions {
  /** Reads a job with its `partial`; null when there is no such job. Rejects when no answer came. */
  read: (id: string) => Promise<Job | null>;
  /** Resolves after so many milliseconds. */
  wait: (milliseconds: number) => Promise<void>;
  /** Calls back soon, once: a browser gives its next frame, so that many pieces are one rendering. */
  schedule: (flush: () => void) => void;
}

interface Entry {
  /** Null while only pieces of its text have been heard. */
  job: Job | null;
  /** The attempt that `text` belongs to. */
  attempt: number;
  text: string;
  /** Pieces that lie beyond a gap. */
  ahead: JobDelta[];
  /** The reading under way; it answers whether there is such a job. */
  reading: Promise<boolean> | null;
  /** Whether to read once more, since something may have happened after the present reading began. */
  readAgain: boolean;
  view: JobView | null;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;

/**
 * Every job this client has heard of. It takes whole jobs (events, answers) and pieces of text in any order, cut
 * anywhere, twice or not at all, and always arrives at the text that the server has: what the pieces leave open
 * is read over HTTP until the gap is closed.
 */
export class JobStore {
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<() => void>();
  private readonly endListeners = new Set<(job: Job) => void>();
  private jobs: readonly Job[] = [];
  private readonly changed = new Set<Entry>();
  private scheduled = false;

  constructor(private readonly options: JobStoreOptions) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Tells of each job that ends while this client watches it. */
  onEnd(listener: (job: Job) => void): () => void {
    this.endListeners.add(listener);
    return () => this.endListeners.delete(listener);
  }

  /** The job and its text, or null while it is unknown. */
  view(id: string): JobView | null {
    return this.entries.get(id)?.view ?? null;
  }

  /** All known jobs, newest first; the same array until one of them changes. */
  list(): readonly Job[] {
    return this.jobs;
  }

  /** Takes a whole job: an event (no `partial`) or an answer (with one). An older revision changes nothing but text. */
  take(job: Job): void {
    const entry = this.entry(job.id);
    const { partial, ...rest } = job;
    const before = entry.job;
    if (before === null || rest.revision >= before.revision) entry.job = rest;
    if (job.attempts > entry.attempt) restart(entry, job.attempts);
    const wasEnded = before !== null && isEnded(before.status);
    if (
      !wasEnded &&
      partial != null &&
      job.attempts === entry.attempt &&
      partial.length > entry.text.length
    ) {
      entry.text = partial;
      drain(entry);
    }
    if (isEnded(rest.status)) finish(entry, rest);
    this.touch(entry);
    if (before !== null && !wasEnded && isEnded(rest.status)) {
      for (const listener of this.endListeners) listener(rest);
    }
  }

  takeDelta(delta: JobDelta): void {
    const entry = this.entry(delta.id);
    if (entry.job !== null && isEnded(entry.job.status)) return;
    if (delta.attempt < entry.attempt) return;
    if (delta.attempt > entry.attempt) restart(entry, delta.attempt);
    entry.ahead.push(delta);
    drain(entry);
    this.touch(entry);
    if (isIncomplete(entry) && entry.reading === null) void this.refresh(delta.id);
  }

  takePosition({ id, position, etaSeconds }: JobPosition): void {
    const entry = this.entries.get(id);
    if (entry?.job?.status !== 'queued') return;
    entry.job = { ...entry.job, position, etaSeconds };
    this.touch(entry);
  }

  /**
   * Reads a job from the server, again and again until it is known and its text has no gap.
   * @returns false when there is no such job.
   */
  refresh(id: string): Promise<boolean> {
    const entry = this.entry(id);
    entry.readAgain = true;
    entry.reading ??= this.readUntilComplete(id, entry).finally(() => (entry.reading = null));
    return entry.reading;
  }

  /** Reads every job again that has not ended: after a connection was lost, events may have been missed. */
  resync(): void {
    for (const [id, entry] of this.entries) {
      if (entry.job === null || !isEnded(entry.job.status)) void this.refresh(id);
    }
  }

  /** Forgets everything, for the next user. */
  clear(): void {
    this.entries.clear();
    this.jobs = [];
    this.changed.clear();
    for (const listener of this.listeners) listener();
  }

  private entry(id: string): Entry {
    let entry = this.entries.get(id);
    if (entry === undefined) {
      entry = { job: null, attempt: 0, text: '', ahead: [], reading: null, readAgain: false, view: null };
      this.entries.set(id, entry);
    }
    return entry;
  }

  private async readUntilComplete(id: string, entry: Entry): Promise<boolean> {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      entry.readAgain = false;
      const answer = await this.options.read(id).catch(() => undefined);
      if (this.entries.get(id) !== entry) return false;
      if (answer === null) {
        this.entries.delete(id);
        this.touch(entry);
        return false;
      }
      if (answer === undefined) entry.readAgain = true;
      else this.take(answer);
      if (!entry.readAgain && !isIncomplete(entry)) return true;
      await this.options.wait(wait);
      if (this.entries.get(id) !== entry) return false;
    }
  }

  private touch(entry: Entry): void {
    this.changed.add(entry);
    if (this.scheduled) return;
    this.scheduled = true;
    this.options.schedule(() => this.flush());
  }

  /** Shows what was taken at once, not with the next frame. */
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
  return entry.job === null || entry.ahead.length > 0;
}

function restart(entry: Entry, attempt: number): void {
  entry.attempt = attempt;
  entry.text = '';
  entry.ahead = [];
}

/** An ended job's text is its result's; one that ended without a result keeps what it had. */
function finish(entry: Entry, job: Job): void {
  entry.ahead = [];
  const content = job.result?.['content'];
  if (typeof content === 'string') entry.text = content;
}

/** Sets the pieces that fit on, each as far as it is new, and keeps those beyond a gap. */
function drain(entry: Entry): void {
  const inOrder = entry.ahead.sort((one, other) => one.offset - other.offset);
  let taken = 0;
  for (const { offset, text } of inOrder) {
    if (offset > entry.text.length) break;
    if (offset + text.length > entry.text.length) entry.text += text.slice(entry.text.length - offset);
    taken += 1;
  }
  entry.ahead = inOrder.slice(taken);
}
