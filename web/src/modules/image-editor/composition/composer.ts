import type { Size } from '../../../shared/lib/picture';
import { WorkerClient } from '../worker-client';
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
  /** A PNG if the browser does not support the requested type. */
  encode: Blob;
}

/** Composes images in a worker, which keeps them decoded until it is closed. */
export type Composer = WorkerClient<ComposerRequest, ComposerAnswers>;

export const createComposer = (): Composer =>
  new WorkerClient(new Worker(new URL('./compose-worker.ts', import.meta.url), { type: 'module' }));
