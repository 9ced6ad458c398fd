import sharp from 'sharp';
import { catchFailure } from '#libs/local-engine/threads/task-failure.js';
import type { ProgressPort } from '#libs/local-engine/threads/thread-pool.js';
import * as canvases from './canvas.js';
import { cutOut as cutOutByColour } from './cut-out.js';
import { erase as fillFromSurroundings } from './inpaint.js';
import { fromPixels, toPng, toThumbnail, type Photo } from './photo.js';

// The entry of the image threads (see image-threads.ts). Each exported function is a task. Its input and result are
// copied between threads, so files are plain bytes.

// One picture at a time: sharp's own threads and cache would multiply what a picture takes.
sharp.cache(false);
sharp.concurrency(1);

/** A finished picture: a PNG without metadata, and a thumbnail as WebP. */
export interface PictureFiles {
  image: Uint8Array;
  thumbnail: Uint8Array;
  width: number;
  height: number;
}

type Place = Pick<canvases.Canvas, 'size' | 'place'>;

interface StepPort {
  port: ProgressPort<string>;
}

export const cutOut = ({ bytes, port }: StepPort & { bytes: Uint8Array }) =>
  catchFailure(async () => {
    const { photo, kind } = await cutOutByColour(bytes, (step) => port.postMessage(step));
    return { ...(await encode(photo, port)), kind };
  });

export const erase = ({ bytes, mask, port }: StepPort & { bytes: Uint8Array; mask: Uint8Array }) =>
  catchFailure(async () => {
    const { photo, share } = await fillFromSurroundings(bytes, mask, (step) => port.postMessage(step));
    return { ...(await encode(photo, port)), share };
  });

export const layOnCanvas = ({ bytes, mask }: { bytes: Uint8Array; mask: Uint8Array | null }) =>
  catchFailure(() => canvases.layOnCanvas(bytes, mask));

export const finishCutOut = (task: StepPort & { bytes: Uint8Array; answer: Uint8Array; canvas: Place }) =>
  catchFailure(async () => {
    const { photo, pixels } = await canvases.finishCutOut(task.bytes, task.answer, task.canvas);
    return { ...(await encode(photo, task.port)), pixels };
  });

export const finishErase = (
  task: StepPort & { bytes: Uint8Array; mask: Uint8Array | null; answer: Uint8Array; canvas: Place },
) =>
  catchFailure(async () => {
    const { photo, pixels } = await canvases.finishErase(task.bytes, task.mask, task.answer, task.canvas);
    return { ...(await encode(photo, task.port)), pixels };
  });

async function encode(photo: Photo, port: ProgressPort<string>): Promise<PictureFiles> {
  port.postMessage('encoding');
  const thumbnail = await toThumbnail(fromPixels(photo));
  return { image: await toPng(photo), thumbnail, width: photo.width, height: photo.height };
}
