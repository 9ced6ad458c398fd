import { WorkerClient } from '../worker-client';
import type { MaskPixels } from './brush';

export type MaskRequest =
  | ({ kind: 'encode-mask' } & Pick<MaskPixels, 'width' | 'height' | 'pixels'>)
  | { kind: 'read-mask'; png: Blob }
  | { kind: 'open-cut-out'; cutOut: Blob; original: Blob | null }
  | { kind: 'compose-cut-out'; cutOut: Blob; original: Blob | null; pixels: Uint8Array; maxBytes: number };

export interface MaskAnswers {
  /** A PNG, white and opaque where the mask is. */
  'encode-mask': Blob;
  'read-mask': MaskPixels;
  /**
   * The alpha of the cut-out, and its colours with the original's behind them, if an original of the same size is given. A JPEG,
   * because a canvas of that size would slow down strokes.
   */
  'open-cut-out': MaskPixels & { colours: Blob | null };
  'compose-cut-out': Blob;
}

/** Runs a request in a new worker, which frees its memory afterwards. @throws Error with a message for the user */
export function runMaskWorker<K extends MaskRequest['kind']>(
  request: Extract<MaskRequest, { kind: K }>,
): Promise<MaskAnswers[K]> {
  const worker = new Worker(new URL('./mask-worker.ts', import.meta.url), { type: 'module' });
  const client = new WorkerClient<MaskRequest, MaskAnswers>(worker);
  return client.ask<K>(request).finally(() => client.close());
}
