import type { Size } from '../../../shared/lib/picture';
import { WorkerClient } from '../../../shared/lib/worker-client';
import type { CutOutShape } from './compose';
import type { CutOutSettings } from './settings';

export type ComposerRequest =
  | { kind: 'open'; cutOut: Blob; original: Blob | null }
  | { kind: 'picture'; picture: Blob }
  | { kind: 'preview'; settings: CutOutSettings; maxSide: number }
  | { kind: 'encode'; settings: CutOutSettings };

export interface ComposerAnswers {
  open: CutOutShape & { canBlur: boolean; canEncodeWebp: boolean };
  picture: Size;
  preview: ImageBitmap;
  /** The encoded image. Its type is PNG if the browser can't encode the requested type. */
  encode: Blob;
}

/** Client of a worker that composes images. The worker keeps the decoded images in memory; close it after use. */
export type Composer = WorkerClient<ComposerRequest, ComposerAnswers>;

export const createComposer = (): Composer =>
  new WorkerClient(new Worker(new URL('./compose-worker.ts', import.meta.url), { type: 'module' }));
