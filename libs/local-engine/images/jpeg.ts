import { EngineError } from '#libs/contract/engine-error.js';
import { open, toThumbnail } from './photo.js';

/**
 * A generated picture as it is kept: a JPEG of high quality without metadata, and a thumbnail. What is transparent
 * becomes white. All of it is computed in sharp's own threads.
 * @throws EngineError when the bytes are no picture
 */
export async function toJpegFiles(bytes: Uint8Array) {
  try {
    const { data, info } = await open(bytes)
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
      .toBuffer({ resolveWithObject: true });
    return { image: data, thumbnail: await toThumbnail(open(data)), width: info.width, height: info.height };
  } catch (cause) {
    throw new EngineError('The AI service answered with something that is no picture. Try again.', {
      retryable: true,
      cause,
    });
  }
}
