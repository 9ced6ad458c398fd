import type { Batch, BatchItem, BatchWithItems } from '#libs/contract/batches.js';
import { isEnded, type Job } from '#libs/contract/jobs.js';

export interface BatchView {
  batch: Batch;
  /** Null until the batch was read as a whole. */
  items: readonly BatchItem[] | null;
}

interface Entry extends BatchView {
  itemsRevision: number;
  view: BatchView | null;
}

/**
 * The user's batches as this tab knows them. Events of many pictures change it at once and are shown together: the listeners
 * are called once for all that came in the meantime.
 */
export class BatchStore {
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<() => void>();
  private readonly endListeners = new Set<(batch: Batch) => void>();
  private readonly staleListeners = new Set<(id: string) => void>();
  private batches: readonly Batch[] = [];
  private readonly seenOpen = new Set<string>();
  private scheduled = false;

  constructor(private readonly schedule: (flush: () => void) => void) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Calls the listener for each known batch that ends. */
  onEnd(listener: (batch: Batch) => void): () => void {
    this.endListeners.add(listener);
    return () => this.endListeners.delete(listener);
  }

  /** Calls the listener when a picture changed otherwise than this tab knows: another one sent it, or edited its result. */
  onStale(listener: (id: string) => void): () => void {
    this.staleListeners.add(listener);
    return () => this.staleListeners.delete(listener);
  }

  /** Null while the batch is unknown. */
  view(id: string): BatchView | null {
    return this.entries.get(id)?.view ?? null;
  }

  /** All known batches, newest first; the same array until one of them changes. */
  list(): readonly Batch[] {
    return this.batches;
  }

  /** Whether it was at work while this page is open. */
  wasOpen(id: string): boolean {
    return this.seenOpen.has(id);
  }

  /** Stores what an event or an answer says. An older revision changes nothing. */
  put(given: Batch | BatchWithItems): void {
    const { items, batch } = split(given);
    const known = this.entries.get(batch.id);
    if (batch.status === 'open') this.seenOpen.add(batch.id);
    if (known === undefined) {
      this.entries.set(batch.id, {
        batch,
        items,
        itemsRevision: items === null ? -1 : batch.revision,
        view: null,
      });
      return this.markChanged();
    }
    if (items !== null && batch.revision >= known.itemsRevision) {
      known.items = items;
      known.itemsRevision = batch.revision;
    }
    const before = known.batch;
    if (batch.revision >= before.revision) known.batch = batch;
    this.markChanged();
    if (before.status === 'open' && known.batch.status === 'ended')
      for (const listener of this.endListeners) listener(known.batch);
  }

  /** What a picture has become, by the answer to its own call. */
  putItem(id: string, item: BatchItem): void {
    this.change(id, (known) => (known.n === item.n ? item : known));
  }

  /** What the job of a picture has become. */
  applyJob(job: Job): void {
    const entry = this.entries.get(job.batchId ?? '');
    if (!entry?.items) return;
    if (!entry.items.some(({ jobId }) => jobId === job.id)) {
      for (const listener of this.staleListeners) listener(entry.batch.id);
      return;
    }
    this.change(entry.batch.id, (item) => (item.jobId === job.id ? afterJob(item, job) : item));
  }

  /** Has the batch read again that this creation is a result of. */
  markStale(creationId: string): void {
    for (const [id, { items }] of this.entries)
      if (items?.some((item) => item.creationId === creationId))
        for (const listener of this.staleListeners) listener(id);
  }

  private change(id: string, change: (item: BatchItem) => BatchItem): void {
    const entry = this.entries.get(id);
    if (!entry?.items) return;
    entry.items = entry.items.map(change);
    this.markChanged();
  }

  private markChanged(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(() => this.flush());
  }

  /** Notifies the listeners now. */
  flush(): void {
    this.scheduled = false;
    for (const entry of this.entries.values()) {
      const { batch, items, view } = entry;
      if (view?.batch !== batch || view.items !== items) entry.view = { batch, items };
    }
    this.batches = [...this.entries.values()]
      .map(({ batch }) => batch)
      .sort((one, other) => other.createdAt.localeCompare(one.createdAt));
    for (const listener of this.listeners) listener();
  }
}

function split(given: Batch | BatchWithItems): { batch: Batch; items: readonly BatchItem[] | null } {
  if (!('items' in given)) return { batch: given, items: null };
  const { items, ...batch } = given;
  return { batch, items };
}

/** Events may come late: an end stays. */
function afterJob(item: BatchItem, { status, result, error }: Job): BatchItem {
  if (item.state === 'left-out' || (isEnded(item.state as Job['status']) && !isEnded(status))) return item;
  const text = (name: string) => (typeof result?.[name] === 'string' ? result[name] : null);
  return {
    ...item,
    state: status,
    creationId: text('creationId'),
    content: text('content'),
    thumbnail: text('thumbnail'),
    error,
    // Its file is kept for a while.
    sendableAgain: false,
  };
}
