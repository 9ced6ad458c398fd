/** The fields that jobs, batches and flows share. */
interface Run {
  readonly id: string;
  readonly revision: number;
  readonly createdAt: string;
}

export interface RunEntry<R, V> {
  /** Null if only an event about a part of the run has arrived. */
  run: R | null;
  /** The value that `RunStore.view` returns; updated at each flush. */
  view: V | null;
}

/** Calls `flush` once, a little later, so that many events cause one render. */
export type Schedule = (flush: () => void) => void;

/**
 * Stores jobs, batches or flows by ID. Events and responses can arrive in any order, more than once or not at all, so the
 * store keeps the newest revision of each run.
 */
export abstract class RunStore<R extends Run, V, E extends RunEntry<R, V> = RunEntry<R, V>> {
  protected readonly entries = new Map<string, E>();
  private readonly listeners = new Set<() => void>();
  private readonly endListeners = new Set<(run: R) => void>();
  private readonly changed = new Set<E>();
  private readonly openedIds = new Set<string>();
  private runs: readonly R[] = [];
  private isListStale = false;
  private isScheduled = false;

  constructor(private readonly schedule: Schedule) {}

  protected abstract createEntry(): E;
  protected abstract viewOf(entry: E, run: R): V;
  protected abstract isOpen(run: R): boolean;
  /** True if `onEnd` must report an open run that changed to this state. */
  protected abstract isReportedEnd(run: R): boolean;

  /** @returns the run to store in place of `before` */
  protected abstract merge(run: R, before: R | null): R;

  /** Updates the fields of an entry other than `run` and `view`. */
  protected abstract applyDetails(entry: E, given: R): void;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Calls the listener when a stored run ends. @returns the unsubscribe function */
  onEnd(listener: (run: R) => void): () => void {
    this.endListeners.add(listener);
    return () => this.endListeners.delete(listener);
  }

  /** @returns null if the store doesn't have the run */
  view(id: string): V | null {
    return this.entries.get(id)?.view ?? null;
  }

  /** All stored runs, newest first. Returns the same array until a run changes. */
  list(): readonly R[] {
    return this.runs;
  }

  /** True if the run was open at any time since this page was loaded. */
  wasOpen(id: string): boolean {
    return this.openedIds.has(id);
  }

  /** Stores a run from an event or a response, unless the store has a newer revision. */
  put(given: R): void {
    const entry = this.entry(given.id);
    const before = entry.run;
    if (before === null || given.revision >= before.revision) entry.run = this.merge(given, before);
    if (this.isOpen(given)) this.openedIds.add(given.id);
    this.applyDetails(entry, given);
    this.markChanged(entry);
    const { run } = entry;
    if (before !== null && run !== null && this.isOpen(before) && this.isReportedEnd(run))
      for (const listener of this.endListeners) listener(run);
  }

  /** Notifies the listeners now. */
  flush(): void {
    this.isScheduled = false;
    for (const entry of this.changed) {
      if (entry.run === null) continue;
      this.isListStale ||= !this.runs.includes(entry.run);
      entry.view = this.viewOf(entry, entry.run);
    }
    this.changed.clear();
    if (this.isListStale) {
      this.isListStale = false;
      this.runs = [...this.entries.values()]
        .flatMap(({ run, view }) => (run === null || view === null ? [] : [run]))
        .sort((one, other) => other.createdAt.localeCompare(one.createdAt));
    }
    for (const listener of this.listeners) listener();
  }

  protected entry(id: string): E {
    let entry = this.entries.get(id);
    if (entry === undefined) this.entries.set(id, (entry = this.createEntry()));
    return entry;
  }

  protected remove(id: string): void {
    this.entries.delete(id);
    this.isListStale = true;
    this.scheduleFlush();
  }

  protected markChanged(entry: E): void {
    this.changed.add(entry);
    this.scheduleFlush();
  }

  private scheduleFlush(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.schedule(() => this.flush());
  }
}
