import type { MaskPixels } from './brush';

/** What the worker does. */
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
   * The alpha of the cut-out, and a JPEG of the colours that it can have, if its original is there and has its size. The page
   * draws a JPEG without holding up a stroke, a canvas of that size not.
   */
  'open-cut-out': MaskPixels & { colours: Blob | null };
  'compose-cut-out': Blob;
}

/** Does it in a worker of its own, whose memory is free afterwards. @throws Error with a message for the user */
export function doMaskWork<K extends MaskWork['kind']>(
  work: Extract<MaskWork, { kind: K }>,
): Promise<MaskWorkAnswer[K]> {
  const worker = new Worker(new URL('./mask-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<MaskWorkAnswer[K]>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<WorkDone<K>>) =>
      'answer' in data ? resolve(data.answer) : reject(new Error(data.error)),
    );
    worker.addEventListener('error', () => reject(new Error('This browser could not work on the picture.')));
    worker.postMessage(work);
  }).finally(() => worker.terminate());
}

type WorkDone<K extends keyof MaskWorkAnswer> = { answer: MaskWorkAnswer[K] } | { error: string };
