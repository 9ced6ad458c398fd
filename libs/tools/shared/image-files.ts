import type { EngineName } from '#libs/contract/engine.js';
import { EARLIER_IMAGE, imageCreation, IMAGE_REQUIRED } from '#libs/contract/images.js';
import { AppError } from '#libs/contract/errors.js';
import type { InputFile } from '#libs/contract/files.js';
import type { CreationSettings } from '#libs/contract/creations.js';
import type { ImageStep } from '#libs/local-engine/images/thread.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';

/** The uploaded image, or the image of the creation that the request names. @throws AppError VALIDATION_FAILED without either */
export async function readImage(context: RunContext): Promise<InputFile> {
  const file = await context.file('image');
  if (file) return file;
  const source = await context.source();
  if (source) return { ...source, name: EARLIER_IMAGE };
  throw new AppError('VALIDATION_FAILED', IMAGE_REQUIRED, {
    details: [{ field: 'image', message: IMAGE_REQUIRED }],
  });
}

/** Reports the steps of an image thread, each with its message and the progress at its start, and its previews. */
export const reportSteps =
  (context: RunContext, steps: Record<string, [message: string, percent: number]>) =>
  (step: ImageStep): void => {
    if (typeof step !== 'string') return context.preview(step.preview);
    const stage = steps[step];
    if (stage) context.stage(step, ...stage);
  };

/** An encoded image with its thumbnail (WebP). */
interface EncodedImage {
  image: Uint8Array;
  thumbnail: Uint8Array;
  width: number;
  height: number;
}

interface ImageDetails {
  type: 'image/png' | 'image/jpeg';
  /** The creation's prompt. */
  prompt: string;
  engine: EngineName;
  /** The title of this server's model, if one was used. */
  model?: string;
  notice: string | null;
  published?: boolean;
  /** Settings of the request, without the prompt. */
  settings?: CreationSettings;
}

/** Stores an image and its thumbnail, and returns the outcome of the tool. */
export async function storeImage(context: RunContext, encoded: EncodedImage, details: ImageDetails) {
  context.signal.throwIfAborted();
  const image = await context.store(toBuffer(encoded.image), details.type);
  const thumbnail = await context.store(toBuffer(encoded.thumbnail), 'image/webp');
  const { width, height } = encoded;
  const { engine, model, notice, prompt, published, settings } = details;
  return {
    result: { content: image.path, thumbnail: thumbnail.path, width, height, engine, notice },
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
