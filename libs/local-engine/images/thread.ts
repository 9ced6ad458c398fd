import type { ImageSize, ImageBox } from '#libs/contract/images.js';
import sharp from 'sharp';
import { MASK_MAX_SIDE } from '#libs/contract/object-mask.js';
import type { ProgressPort } from '#libs/local-engine/threads/thread-pool.js';
import { cutOut as cutOutByModel } from './cut-out.js';
import type { RgbPicture } from '#libs/models/runner/messages.js';
import type { SegmentationInput } from '#libs/models/segmentation-input.js';
import { fillHoles as fillHolesByModel } from './fill-hole.js';
import * as canvas from './model-canvas.js';
import type { ModelPort } from './model-request.js';
import { removeBackground as removeBackgroundByColour } from './remove-background.js';
import { removeObject as inpaintObject } from './remove-object.js';
import { ownTransparency } from './own-cut-out.js';
import { drawStep, type FoundStep, type Placement } from './preview.js';
import {
  objectAt as objectAtByModel,
  outlineObjects as outlineObjectsByModel,
  type ObjectBox,
  type ObjectBoxes,
} from './outline-objects.js';
import { drawView, detectorViews } from './detector-views.js';
import {
  decodeImage,
  decodeSmall,
  toMaskPng,
  toSharp,
  toPng,
  toThumbnail,
  type RgbaImage,
} from './raster.js';

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
  fileNotice?: string | undefined;
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

type BoxTask = { bytes: Uint8Array; box?: ImageBox };

export const removeBackground = async ({ bytes, box, port }: StepPort & BoxTask) =>
  encode(await removeBackgroundByColour(bytes, box, stepOn(port), showOn(port)), port);

export const cutOut = async ({
  bytes,
  box,
  input,
  port,
}: ModelStepPort & BoxTask & { input: SegmentationInput }) =>
  encode(await cutOutByModel(bytes, box, stepOn(port), { runModel: port.ask, input }, showOn(port)), port);

/** The picture if it is a cut-out already; null if it is not. */
export async function keepCutOut({ bytes, port }: StepPort & { bytes: Uint8Array }) {
  const photo = await decodeImage(bytes);
  return ownTransparency(photo).isCutOut ? encode({ photo }, port) : null;
}

/** A copy in the size of the detector's input. */
export async function pictureToDetect({ bytes }: { bytes: Uint8Array }): Promise<RgbPicture> {
  const { width, height, pixels } = await decodeSmall(bytes, DETECTOR_SIDE);
  return { data: pixels, width, height };
}

/** The {@link detectorViews} of a picture, in their order. */
export async function viewsToDetect({ bytes }: { bytes: Uint8Array }): Promise<RgbPicture[]> {
  const photo = await decodeSmall(bytes, 2 * DETECTOR_SIDE);
  const views: RgbPicture[] = [];
  for (const view of detectorViews) views.push(await drawView(photo, view, DETECTOR_SIDE));
  return views;
}

/** The index of the object that covers a point. */
export const objectAt = async ({
  bytes,
  boxes,
  point,
  port,
}: ModelStepPort & { bytes: Uint8Array; boxes: ObjectBox[]; point: { x: number; y: number } }) =>
  objectAtByModel(await decodeSmall(bytes, MASK_MAX_SIDE, 'rgba'), boxes, point, port.ask);

/** The mask of the parts to remove, as a PNG of the picture's size or smaller. */
export async function outlineObjects({
  bytes,
  boxes,
  port,
}: ModelStepPort & { bytes: Uint8Array; boxes: ObjectBoxes }) {
  const photo = await decodeSmall(bytes, MASK_MAX_SIDE, 'rgba');
  const { mask } = await outlineObjectsByModel(photo, boxes, port.ask);
  return { png: await toMaskPng(mask), width: mask.width, height: mask.height };
}

type HoleTask = { bytes: Uint8Array; hole: Parameters<typeof fillHolesByModel>[1] };

export const fillHoles = async ({ bytes, hole, port }: ModelStepPort & HoleTask) =>
  encode(await fillHolesByModel(bytes, hole, stepOn(port), port.ask, showOn(port)), port);

type MaskTask = { bytes: Uint8Array; mask: Uint8Array };

export const removeObject = async ({ bytes, mask, port }: StepPort & MaskTask) =>
  encode(await inpaintObject(bytes, mask, stepOn(port), showOn(port)), port);

/** Without a size, that with the nearest aspect ratio is used. */
type CanvasTask = { bytes: Uint8Array; mask: Uint8Array | null; size?: ImageSize };

export const fitToCanvas = ({ bytes, mask, size }: CanvasTask) => canvas.fitToCanvas(bytes, mask, size);

type MergeTask = StepPort & { bytes: Uint8Array; answer: Uint8Array; canvas: Placement };

export const mergeBackgroundRemoval = async (task: MergeTask) =>
  encode(await canvas.mergeBackgroundRemoval(task.bytes, task.answer, task.canvas), task.port);

export const mergeObjectRemoval = async ({
  bytes,
  mask,
  answer,
  ...task
}: MergeTask & { mask: Uint8Array | null }) =>
  encode(await canvas.mergeObjectRemoval(bytes, mask, answer, task.canvas), task.port);

/** Encodes the photo of a result. */
async function encode<Result extends { photo: RgbaImage }>(
  { photo, ...result }: Result,
  port: ProgressPort<ImageStep>,
): Promise<ImageFiles & Omit<Result, 'photo'>> {
  port.postMessage('encoding');
  const thumbnail = await toThumbnail(toSharp(photo));
  const { width, height, fileNotice } = photo;
  return { image: await toPng(photo), thumbnail, width, height, fileNotice, ...result };
}
