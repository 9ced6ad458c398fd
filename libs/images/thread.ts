import type { MessagePort } from 'node:worker_threads';
import sharp from 'sharp';
import { EngineError } from '#libs/contract/engine-error.js';
import { AppError, type AppErrorOptions, type ErrorCode } from '#libs/contract/errors.js';
import * as canvases from './canvas.js';
import { cutOut as cutOutByColour } from './cut-out.js';
import { erase as fillFromSurroundings } from './inpaint.js';
import { fromPixels, toPng, toThumbnail, type Photo } from './photo.js';

// The entry of the image threads (see image-threads.ts). Each function below is a task: what it takes and returns
// crosses to another thread as a copy, so files are plain bytes, and refusals are values.

// One picture at a time: sharp's own threads and cache would multiply what a picture takes.
sharp.cache(false);
sharp.concurrency(1);

/** What crosses the thread's border in place of an error, whose class would be lost. */
export type Refusal =
  | { refused: 'app'; code: ErrorCode; message: string; details: AppErrorOptions['details'] }
  | { refused: 'engine'; message: string; retryable: boolean };

/** A finished picture: a PNG without metadata, and a thumbnail as WebP. */
export interface PictureFiles {
  image: Uint8Array;
  thumbnail: Uint8Array;
  width: number;
  height: number;
}

type Place = Pick<canvases.Canvas, 'size' | 'place'>;

/** Where a task tells its steps. */
interface Told {
  port: MessagePort;
}

export const cutOut = ({ bytes, port }: Told & { bytes: Uint8Array }) =>
  refusing(async () => {
    const { photo, kind } = await cutOutByColour(bytes, (step) => port.postMessage(step));
    return { ...(await encode(photo, port)), kind };
  });

export const erase = ({ bytes, mask, port }: Told & { bytes: Uint8Array; mask: Uint8Array }) =>
  refusing(async () => {
    const { photo, share } = await fillFromSurroundings(bytes, mask, (step) => port.postMessage(step));
    return { ...(await encode(photo, port)), share };
  });

export const layOnCanvas = ({ bytes, mask }: { bytes: Uint8Array; mask: Uint8Array | null }) =>
  refusing(() => canvases.layOnCanvas(bytes, mask));

export const finishCutOut = (task: Told & { bytes: Uint8Array; answer: Uint8Array; canvas: Place }) =>
  refusing(async () => {
    const { photo, pixels } = await canvases.finishCutOut(task.bytes, task.answer, task.canvas);
    return { ...(await encode(photo, task.port)), pixels };
  });

export const finishErase = (
  task: Told & { bytes: Uint8Array; mask: Uint8Array | null; answer: Uint8Array; canvas: Place },
) =>
  refusing(async () => {
    const { photo, pixels } = await canvases.finishErase(task.bytes, task.mask, task.answer, task.canvas);
    return { ...(await encode(photo, task.port)), pixels };
  });

async function encode(photo: Photo, port: MessagePort): Promise<PictureFiles> {
  port.postMessage('encoding');
  const thumbnail = await toThumbnail(fromPixels(photo));
  return { image: await toPng(photo), thumbnail, width: photo.width, height: photo.height };
}

async function refusing<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) {
      return { refused: 'app', code: error.code, message: error.message, details: error.details };
    }
    if (error instanceof EngineError) {
      return { refused: 'engine', message: error.message, retryable: error.retryable };
    }
    throw error;
  }
}
