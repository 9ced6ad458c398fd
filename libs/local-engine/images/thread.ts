import type { ImageSize, ImageBox } from '#libs/contract/images.js';
import sharp from 'sharp';
import { MASK_MAX_SIDE } from '#libs/contract/object-mask.js';
import { catchFailure } from '#libs/local-engine/threads/task-failure.js';
import type { ProgressPort } from '#libs/local-engine/threads/thread-pool.js';
import { cutOut as cutOutByModel } from './cut-out.js';
import type { RgbPicture } from '#libs/models/runner/messages.js';
import { fillHoles as fillHolesByModel } from './fill-hole.js';
import * as canvas from './model-canvas.js';
import type { ModelPort } from './model-request.js';
import { removeBackground as removeBackgroundByColour } from './remove-background.js';
import { removeObject as inpaintObject } from './remove-object.js';
import { drawStep, type FoundStep, type Placement } from './preview.js';
import {
  objectAt as objectAtByModel,
  outlineObjects as outlineObjectsByModel,
  type ObjectBox,
  type ObjectBoxes,
} from './outline-objects.js';
import { drawView, detectorViews } from './detector-views.js';
import { decodeSmall, toMaskPng, toSharp, toPng, toThumbnail, type RgbaImage } from './raster.js';

// The entry of the image threads (see image-threads.ts). Each exported function is a task. Its input and result are
// copied between threads, so files are plain bytes.

// sharp's own threads and cache would multiply the memory of one image.
sharp.cache(false);
sharp.concurrency(1);

/** A PNG without metadata and a WebP thumbnail. */
export interface ImageFiles {
  image: Uint8Array;
  thumbnail: Uint8Array;
  width: number;
  height: number;
}

/** The longest side of the detector's input. */
const DETECTOR_SIDE = 640;

/** The name of a step as it begins, or a small WebP of its result. */
export type ImageStep = string | { preview: Uint8Array };

const stepOn = (port: ProgressPort<ImageStep>) => (step: string) => port.postMessage(step);

/** Sends a preview of a step's result. The work continues if the preview fails. */
const showOn = (port: ProgressPort<ImageStep>) => async (photo: RgbaImage, found: FoundStep) => {
  const preview = await drawStep(photo, found).catch(() => null);
  if (preview) port.postMessage({ preview });
};

interface StepPort {
  port: ProgressPort<ImageStep>;
}

/** The port of a task that runs a model. */
interface ModelStepPort {
  port: ProgressPort<ImageStep> & ModelPort;
}

export const removeBackground = ({ bytes, box, port }: StepPort & { bytes: Uint8Array; box?: ImageBox }) =>
  catchFailure(async () => {
    const { photo, kind } = await removeBackgroundByColour(bytes, box, stepOn(port), showOn(port));
    return { ...(await encode(photo, port)), kind };
  });

export const cutOut = ({ bytes, box, port }: ModelStepPort & { bytes: Uint8Array; box?: ImageBox }) =>
  catchFailure(async () => {
    const { photo, kind } = await cutOutByModel(bytes, box, stepOn(port), port.ask, showOn(port));
    return { ...(await encode(photo, port)), kind };
  });

/** A copy in the size of the detector's input. */
export const pictureToDetect = ({ bytes }: { bytes: Uint8Array }) =>
  catchFailure(async (): Promise<RgbPicture> => {
    const { width, height, pixels } = await decodeSmall(bytes, DETECTOR_SIDE);
    return { data: pixels, width, height };
  });

/** The {@link detectorViews} of a picture, in their order. */
export const viewsToDetect = ({ bytes }: { bytes: Uint8Array }) =>
  catchFailure(async (): Promise<RgbPicture[]> => {
    const photo = await decodeSmall(bytes, 2 * DETECTOR_SIDE);
    const views: RgbPicture[] = [];
    for (const view of detectorViews) views.push(await drawView(photo, view, DETECTOR_SIDE));
    return views;
  });

/** The index of the object that covers a point. */
export const objectAt = ({
  bytes,
  boxes,
  point,
  port,
}: ModelStepPort & { bytes: Uint8Array; boxes: ObjectBox[]; point: { x: number; y: number } }) =>
  catchFailure(async () =>
    objectAtByModel(await decodeSmall(bytes, MASK_MAX_SIDE, 'rgba'), boxes, point, port.ask),
  );

/** The mask of the parts to remove, as a PNG of the picture's size or smaller. */
export const outlineObjects = ({
  bytes,
  boxes,
  port,
}: ModelStepPort & { bytes: Uint8Array; boxes: ObjectBoxes }) =>
  catchFailure(async () => {
    const photo = await decodeSmall(bytes, MASK_MAX_SIDE, 'rgba');
    const { mask } = await outlineObjectsByModel(photo, boxes, port.ask);
    return { png: await toMaskPng(mask), width: mask.width, height: mask.height };
  });

export const fillHoles = ({
  bytes,
  hole,
  port,
}: ModelStepPort & { bytes: Uint8Array; hole: Parameters<typeof fillHolesByModel>[1] }) =>
  catchFailure(async () => {
    const { photo, share } = await fillHolesByModel(bytes, hole, stepOn(port), port.ask, showOn(port));
    return { ...(await encode(photo, port)), share };
  });

export const removeObject = ({ bytes, mask, port }: StepPort & { bytes: Uint8Array; mask: Uint8Array }) =>
  catchFailure(async () => {
    const { photo, share } = await inpaintObject(bytes, mask, stepOn(port), showOn(port));
    return { ...(await encode(photo, port)), share };
  });

export const fitToCanvas = ({
  bytes,
  mask,
  size,
}: {
  bytes: Uint8Array;
  mask: Uint8Array | null;
  /** Default: the size with the nearest aspect ratio. */
  size?: ImageSize;
}) => catchFailure(() => canvas.fitToCanvas(bytes, mask, size));

export const mergeBackgroundRemoval = (
  task: StepPort & { bytes: Uint8Array; answer: Uint8Array; canvas: Placement },
) =>
  catchFailure(async () => {
    const { photo, pixels } = await canvas.mergeBackgroundRemoval(task.bytes, task.answer, task.canvas);
    return { ...(await encode(photo, task.port)), pixels };
  });

export const mergeObjectRemoval = (
  task: StepPort & { bytes: Uint8Array; mask: Uint8Array | null; answer: Uint8Array; canvas: Placement },
) =>
  catchFailure(async () => {
    const { photo, pixels } = await canvas.mergeObjectRemoval(
      task.bytes,
      task.mask,
      task.answer,
      task.canvas,
    );
    return { ...(await encode(photo, task.port)), pixels };
  });

async function encode(photo: RgbaImage, port: ProgressPort<ImageStep>): Promise<ImageFiles> {
  port.postMessage('encoding');
  const thumbnail = await toThumbnail(toSharp(photo));
  return { image: await toPng(photo), thumbnail, width: photo.width, height: photo.height };
}
