import type { CutOutShape } from './compose';
import type { Size } from '../../../shared/lib/picture';
import type { CutOutSettings } from './settings';

/** Requests to the worker that composes images. */
export type ComposerWork =
  | { kind: 'open'; cutOut: Blob; original: Blob | null }
  | { kind: 'picture'; picture: Blob }
  | { kind: 'preview'; settings: CutOutSettings; maxSide: number }
  | { kind: 'encode'; settings: CutOutSettings };

export interface ComposerAnswer {
  open: CutOutShape & { canBlur: boolean; canEncodeWebp: boolean };
  picture: Size;
  preview: ImageBitmap;
  /** A PNG if the browser does not support the requested type. */
  encode: Blob;
}

export type ComposerRequest = { id: number } & ComposerWork;
export type ComposerReply =
  { id: number; answer: ComposerAnswer[ComposerWork['kind']] } | { id: number; error: string };
