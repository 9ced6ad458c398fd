import type { Batch, BatchItem, BatchWithItems } from '#libs/contract/batches.js';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { RunStore, type RunEntry } from './run-store';

export interface BatchView {
  batch: Batch;
  /** Null until the batch was read as a whole. */
  items: readonly BatchItem[] | null;
}

interface Entry extends RunEntry<Batch, BatchView> {
  items: readonly BatchItem[] | null;
  itemsRevision: number;
}

/** The user's batches as this tab knows them. */
export class BatchStore extends RunStore<Batch, BatchView, Entry> {
  private readonly staleListeners = new Set<(id: string) => void>();

  protected createEntry = (): Entry => ({ run: null, view: null, items: null, itemsRevision: -1 });
  protected viewOf = ({ items }: Entry, batch: Batch): BatchView => ({ batch, items });
  protected isOpen = ({ status }: Batch) => status === 'open';
  protected isReportedEnd = ({ status }: Batch) => status === 'ended';

  protected merge(given: Batch | BatchWithItems): Batch {
    if (!('items' in given)) return given;
    const { items: _, ...batch } = given;
    return batch;
  }

  protected applyDetails(entry: Entry, given: Batch | BatchWithItems): void {
    if (!('items' in given) || given.revision < entry.itemsRevision) return;
    entry.items = given.items;
    entry.itemsRevision = given.revision;
  }

  /** Calls the listener when a picture was changed elsewhere: another tab sent it, or its result was edited. */
  onStale(listener: (id: string) => void): () => void {
    this.staleListeners.add(listener);
    return () => this.staleListeners.delete(listener);
  }

  /** Stores a picture from the response to its own request. */
  putItem(id: string, item: BatchItem): void {
    this.change(id, (known) => (known.n === item.n ? item : known));
  }

  /** Stores the state of a picture's job. */
  applyJob(job: Job): void {
    const id = job.batchId ?? '';
    const items = this.entries.get(id)?.items;
    if (!items) return;
    if (!items.some(({ jobId }) => jobId === job.id)) {
      for (const listener of this.staleListeners) listener(id);
      return;
    }
    this.change(id, (item) => (item.jobId === job.id ? afterJob(item, job) : item));
  }

  /** Reports the batches that this creation is a result of as stale. */
  markStale(creationId: string): void {
    for (const [id, { items }] of this.entries)
      if (items?.some((item) => item.creationId === creationId))
        for (const listener of this.staleListeners) listener(id);
  }

  private change(id: string, change: (item: BatchItem) => BatchItem): void {
    const entry = this.entries.get(id);
    if (!entry?.items) return;
    entry.items = entry.items.map(change);
    this.markChanged(entry);
  }
}

/** A late event does not reopen an ended picture. */
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
    // The server stores the file of a recent job.
    sendableAgain: false,
  };
}
