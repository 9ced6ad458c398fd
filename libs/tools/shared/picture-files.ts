import { AppError } from '#libs/contract/errors.js';
import type { InputFile, StoredFile } from '#libs/contract/files.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import { NO_IMAGE } from '#libs/contract/picture-result.js';

/** What a finished picture is answered with, and what its creation consists of. */
export interface KeptPicture {
  fields: { content: string; thumbnail: string; width: number; height: number };
  files: { image: StoredFile; thumbnail: StoredFile };
}

/** Stores a finished picture with its thumbnail (WebP). */
export async function keepPicture(
  context: RunContext,
  picture: { image: Uint8Array; thumbnail: Uint8Array; width: number; height: number },
  type: 'image/png' | 'image/jpeg',
): Promise<KeptPicture> {
  context.signal.throwIfAborted();
  const image = await context.store(asBuffer(picture.image), type);
  const thumbnail = await context.store(asBuffer(picture.thumbnail), 'image/webp');
  const { width, height } = picture;
  return {
    fields: { content: image.path, thumbnail: thumbnail.path, width, height },
    files: { image, thumbnail },
  };
}

/** The picture that a request brought. @throws AppError VALIDATION_FAILED when there is none */
export async function readPicture(context: RunContext): Promise<InputFile> {
  const file = await context.file('image');
  if (!file)
    throw new AppError('VALIDATION_FAILED', NO_IMAGE, { details: [{ field: 'image', message: NO_IMAGE }] });
  return file;
}

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
