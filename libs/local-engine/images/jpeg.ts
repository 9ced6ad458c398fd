import { takeEncodingMemory } from './image-memory.js';
import { ANSWER_MAX_PIXELS, notAPicture, openImage, toThumbnail } from './raster.js';

/**
 * Encodes an image as a JPEG without metadata, on white, and as a thumbnail. sharp's own threads compute both, once
 * there is memory for them.
 * @throws EngineError when the bytes are no image
 */
export async function toJpegFiles(bytes: Uint8Array, signal: AbortSignal) {
  const release = await takeEncodingMemory(bytes, signal);
  try {
    const { data, info } = await openImage(bytes, ANSWER_MAX_PIXELS)
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
      .toBuffer({ resolveWithObject: true });
    return {
      image: data,
      thumbnail: await toThumbnail(openImage(data)),
      width: info.width,
      height: info.height,
    };
  } catch (cause) {
    throw notAPicture(cause);
  } finally {
    release();
  }
}
