import type { BatchItem } from '#libs/contract/batches.js';

/** A picture of a batch that has a result. */
export type FinishedItem = BatchItem & { creationId: string; content: string };

export const isFinished = (item: BatchItem): item is FinishedItem =>
  item.creationId !== null && item.content !== null;

export const titleOfItem = ({ name, n }: BatchItem): string => name || `Picture ${n}`;
