import type { Batch, BatchItem } from '#libs/contract/batches.js';

/** Pictures that ended, of those that were not left out, in percent. */
export function percentOf({ counts }: Batch): number {
  const wanted = counts.total - counts.leftOut;
  return wanted === 0 ? 100 : Math.round((endedOf(counts) / wanted) * 100);
}

const endedOf = ({ succeeded, failed, cancelled }: Batch['counts']) => succeeded + failed + cancelled;

/** "37 of 50 done, 2 not finished". */
export function progressText({ counts, status }: Batch): string {
  const { total, leftOut, succeeded, failed, cancelled } = counts;
  return [
    status === 'cancelled' && 'Cancelled',
    `${succeeded} of ${total - (status === 'cancelled' ? 0 : leftOut)} done`,
    failed > 0 && `${failed} not finished`,
    cancelled > 0 && `${cancelled} cancelled`,
    leftOut > 0 && `${leftOut} left out`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** What a picture's state is called. @param upload what this tab does with it */
export function itemText(
  { state, error, sendableAgain }: BatchItem,
  upload: 'sending' | 'here' | 'away',
): string {
  if (state === 'missing' || (sendableAgain && upload !== 'away'))
    return { sending: 'Being sent', here: 'Waits to be sent', away: 'Choose this file again' }[upload];
  const text = stateText(state, error);
  return sendableAgain ? `${text.replace(/\.$/, '')}. Its file is no longer stored: choose it again.` : text;
}

function stateText(state: Exclude<BatchItem['state'], 'missing'>, error: BatchItem['error']): string {
  switch (state) {
    case 'queued':
      return 'In the queue';
    case 'running':
      return 'At work';
    case 'succeeded':
      return 'Done';
    case 'failed':
      return error?.message ?? 'Not finished';
    case 'cancelled':
      return 'Cancelled';
    case 'left-out':
      return 'Left out';
  }
}

/** One that waits only for its pictures is not. */
export const isAtWork = ({ status, counts }: Batch) =>
  status === 'open' && counts.queued + counts.running > 0;

export const pictures = (count: number) => `${count} ${count === 1 ? 'picture' : 'pictures'}`;
export const creditsText = (count: number) => `${count} ${count === 1 ? 'credit' : 'credits'}`;
