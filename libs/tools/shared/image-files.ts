import type { AiProvider } from '#libs/ai/engine.js';
import type { EngineName } from '#libs/contract/engine.js';
import { EARLIER_IMAGE, imageCreation, IMAGE_REQUIRED, type ImageWarning } from '#libs/contract/images.js';
import { AppError } from '#libs/contract/errors.js';
import type { InputFile } from '#libs/contract/files.js';
import type { CreationSettings } from '#libs/contract/creations.js';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import type { ImageFiles, ImageStep } from '#libs/local-engine/images/thread.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import { addPhotoMetadata, readPhotoMetadata } from '#libs/pictures/photo-metadata.js';
import { publishPartials } from './partial-images.js';

/** The uploaded image, or the image of the creation that the request names. @throws AppError VALIDATION_FAILED if neither */
export async function readImage(context: RunContext): Promise<InputFile> {
  const file = await context.file('image');
  if (file) return file;
  const source = await context.source();
  if (source) return { ...source, name: EARLIER_IMAGE };
  throw new AppError('VALIDATION_FAILED', IMAGE_REQUIRED, {
    details: [{ field: 'image', message: IMAGE_REQUIRED }],
  });
}

/** Lets an AI service edit the request's image. The image is placed on a canvas of a size that the service accepts. */
export async function editOnCanvas(
  provider: AiProvider,
  context: RunContext,
  message: string,
  mask: Uint8Array | null,
  request: { prompt: string; background?: 'transparent' },
) {
  const { signal } = context;
  context.stage('preparing', 'Preparing the image', 3);
  const { bytes, name } = await readImage(context);
  const { size, place, ...canvas } = await onImageThread('fitToCanvas', { bytes, mask }, signal);
  context.stage('erasing', message, 10);
  const files = {
    image: Buffer.from(canvas.image),
    ...(canvas.mask && { mask: Buffer.from(canvas.mask) }),
    onPartial: publishPartials(context, { size, place }),
  };
  const answer = await provider.editImage({ ...request, ...files, size }, signal);
  context.stage('fitting', 'Fitting the result to your image', 80);
  return { name, edited: { bytes, answer, canvas: { size, place } } };
}

/** Returns a callback for an image thread that publishes its previews and, for each step, the given message and progress. */
export const reportSteps =
  (context: RunContext, steps: Record<string, [message: string, percent: number]>) =>
  (step: ImageStep): void => {
    if (typeof step !== 'string') return context.preview(step.preview);
    const stage = steps[step];
    if (stage) context.stage(step, ...stage);
  };

interface ImageDetails {
  type: 'image/png' | 'image/jpeg';
  /** The creation's prompt. */
  prompt: string;
  engine: EngineName;
  /** The title of the local model, if the image was made with a local model. */
  model?: string;
  notice: string | null;
  /** The photo whose date and copyright the image keeps. */
  metadataOf?: Uint8Array | null;
  warnings?: ImageWarning[];
  published?: boolean;
  /** Settings of the request, without the prompt. */
  settings?: CreationSettings;
}

/** Stores an image and its thumbnail, and returns the outcome of the tool. */
export async function storeImage(context: RunContext, encoded: ImageFiles, details: ImageDetails) {
  context.signal.throwIfAborted();
  const bytes = details.metadataOf
    ? addPhotoMetadata(encoded.image, await readPhotoMetadata(details.metadataOf))
    : encoded.image;
  const image = await context.store(toBuffer(bytes), details.type);
  const thumbnail = await context.store(toBuffer(encoded.thumbnail), 'image/webp');
  const { width, height, fileNotice } = encoded;
  const { engine, model, warnings, prompt, published, settings } = details;
  const notice = [details.notice, fileNotice].filter(Boolean).join(' ') || null;
  return {
    result: {
      content: image.path,
      thumbnail: thumbnail.path,
      width,
      height,
      engine,
      notice,
      ...(warnings && { warnings }),
    },
    ...(model !== undefined && { model }),
    creation: {
      type: imageCreation.type,
      prompt,
      content: image.path,
      files: { image, thumbnail },
      ...(published !== undefined && { published }),
      ...(settings && { settings }),
    },
  };
}

const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
