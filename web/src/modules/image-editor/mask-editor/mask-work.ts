import type { MaskPixels } from './brush';

/** Requests to the worker. */
export type MaskWork =
  | ({ kind: 'encode-mask' } & Pick<MaskPixels, 'width' | 'height' | 'pixels'>)
  | { kind: 'read-mask'; png: Blob }
  | { kind: 'open-cut-out'; cutOut: Blob; original: Blob | null }
  | { kind: 'compose-cut-out'; cutOut: Blob; original: Blob | null; pixels: Uint8Array; maxBytes: number };

export interface MaskWorkAnswer {
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
export function doMaskWork<K extends MaskWork['kind']>(
  work: Extract<MaskWork, { kind: K }>,
): Promise<MaskWorkAnswer[K]> {
  const worker = new Worker(new URL('./mask-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<MaskWorkAnswer[K]>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<WorkDone<K>>) =>
      'answer' in data ? resolve(data.answer) : reject(new Error(data.error)),
    );
    worker.addEventListener('error', () => reject(new Error('This browser could not process the image.')));
    worker.postMessage(work);
  }).finally(() => worker.terminate());
}

type WorkDone<K extends keyof MaskWorkAnswer> = { answer: MaskWorkAnswer[K] } | { error: string };
