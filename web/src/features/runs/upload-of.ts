import type { BatchItem } from '#libs/contract/batches.js';
import type { UploadState } from '../../modules/runs/state/batch-uploads';

/** State of a picture's file in this tab: being uploaded, stored in the browser for upload, or unavailable. */
export type ItemUpload = 'sending' | 'stored' | 'unavailable';

export const uploadOf = ({ n, state }: BatchItem, { stored, sending, sent }: UploadState): ItemUpload =>
  sending.has(n) || (sent.has(n) && state === 'missing')
    ? 'sending'
    : stored.has(n)
      ? 'stored'
      : 'unavailable';
