import { WorkerClient } from '../../../shared/lib/worker-client';
import type { MaskPixels } from './brush';

export type MaskRequest =
  | ({ kind: 'encode-mask' } & Pick<MaskPixels, 'width' | 'height' | 'pixels'>)
  | { kind: 'read-mask'; png: Blob }
  | { kind: 'open-cut-out'; cutOut: Blob; original: Blob | null }
  | { kind: 'compose-cut-out'; cutOut: Blob; original: Blob | null; pixels: Uint8Array; maxBytes: number };

export interface MaskAnswers {
  /** A PNG that is white and opaque inside the mask. */
  'encode-mask': Blob;
  'read-mask': MaskPixels;
  /**
   * The alpha of the cut-out as a mask. If an original of the same size is given, `colours` is a JPEG of the cut-out in
   * front
   * of the original. It is a file, not a canvas, because a canvas of that size would slow down strokes.
   */
  'open-cut-out': MaskPixels & { colours: Blob | null };
  'compose-cut-out': Blob;
}

/**
 * Runs a request in a worker of its own, which is terminated to free its memory.
 * @throws Error with a message for the user
 */
export function runMaskWorker<K extends MaskRequest['kind']>(
  request: Extract<MaskRequest, { kind: K }>,
): Promise<MaskAnswers[K]> {
  const worker = new Worker(new URL('./mask-worker.ts', import.meta.url), { type: 'module' });
  const client = new WorkerClient<MaskRequest, MaskAnswers>(worker);
  return client.ask<K>(request).finally(() => client.close());
}
