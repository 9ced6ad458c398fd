import type { BatchItem } from '#libs/contract/batches.js';

/** Describes the state of a picture for the user. @param upload state of its upload in this tab */
export function itemText(
  { state, error, sendableAgain, warnings }: BatchItem,
  upload: 'sending' | 'stored' | 'unavailable',
): string {
  if (state === 'missing' || (sendableAgain && upload !== 'unavailable'))
    return { sending: 'Uploading', stored: 'Waiting to upload', unavailable: 'Choose this file again' }[
      upload
    ];
  if (warnings.length > 0) return 'Done. Check its edge';
  const text = stateText(state, error);
  return sendableAgain ? `${text.replace(/\.$/, '')}. Its file is no longer stored: choose it again.` : text;
}

function stateText(state: Exclude<BatchItem['state'], 'missing'>, error: BatchItem['error']): string {
  switch (state) {
    case 'queued':
      return 'In the queue';
    case 'running':
      return 'In progress';
    case 'succeeded':
      return 'Done';
    case 'failed':
      return error?.message ?? 'Failed';
    case 'cancelled':
      return 'Cancelled';
    case 'left-out':
      return 'Left out';
  }
}
