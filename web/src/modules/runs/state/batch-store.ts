import type { Batch, BatchItem, BatchWithItems } from '#libs/contract/batches.js';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import { RunStore, type RunEntry } from './run-store';

export interface BatchView {
  batch: Batch;
  /** Null until the whole batch is fetched: lists and events don't have the items. */
  items: readonly BatchItem[] | null;
  originals: BatchWithItems['originals'] | null;
}

interface Entry extends RunEntry<Batch, BatchView> {
  items: readonly BatchItem[] | null;
  originals: BatchWithItems['originals'] | null;
  itemsRevision: number;
}

/** The user's batches that this tab has received. */
export class BatchStore extends RunStore<Batch, BatchView, Entry> {
  private readonly staleListeners = new Set<(id: string) => void>();

  protected createEntry = (): Entry => ({
    run: null,
    view: null,
    items: null,
    originals: null,
    itemsRevision: -1,
  });
  protected viewOf = ({ items, originals }: Entry, batch: Batch): BatchView => ({ batch, items, originals });
  protected isOpen = ({ status }: Batch) => status === 'open';
  protected isReportedEnd = ({ status }: Batch) => status === 'ended';

  protected merge(given: Batch | BatchWithItems): Batch {
    if (!('items' in given)) return given;
    const { items: _, originals: __, ...batch } = given;
    return batch;
  }

  protected applyDetails(entry: Entry, given: Batch | BatchWithItems): void {
    if (!('items' in given) || given.revision < entry.itemsRevision) return;
    entry.items = given.items;
    entry.originals = given.originals;
    entry.itemsRevision = given.revision;
  }

  /** Calls the listener when a batch's items may be outdated: another tab uploaded a picture, or a result was edited. */
  onStale(listener: (id: string) => void): () => void {
    this.staleListeners.add(listener);
    return () => this.staleListeners.delete(listener);
  }

  /** Replaces one item, from the response to a request for this item. */
  putItem(id: string, item: BatchItem): void {
    this.change(id, (known) => (known.n === item.n ? item : known));
  }

  /** Updates the item of a job's picture from an event about the job. */
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

  /** Reports batches as stale if this creation is one of their results. */
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

/** The item after a change of its job. An ended item stays as it is, since events can arrive late. */
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
    // While the job is recent, the server still stores its file, so the user need not send it again.
    sendableAgain: false,
  };
}
