import { sizeInPixels, type ImageSize } from '#libs/contract/images.js';
import { takeEncodingMemory } from './image-memory.js';
import { ANSWER_MAX_PIXELS, notAPicture, openImage, toThumbnail } from './raster.js';

/**
 * Encodes an image as a JPEG without metadata, on white, and as a thumbnail. An image of another shape is cropped around its
 * subject. sharp's own threads compute both, once there is memory for them.
 * @param size the shape; the image keeps its own number of pixels
 * @throws EngineError when the bytes are no image
 */
export async function toJpegFiles(bytes: Uint8Array, size: ImageSize, signal: AbortSignal) {
  const release = await takeEncodingMemory(bytes, signal);
  try {
    const image = openImage(bytes, ANSWER_MAX_PIXELS);
    const { autoOrient: given } = await image.metadata();
    const { width, height } = largestOf(size, given);
    const { data, info } = await image
      .autoOrient()
      .resize(width, height, { fit: 'cover', position: 'attention' })
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

/** The largest size of this shape within an image. The image's own, if its shape differs by less than two per cent. */
function largestOf(size: ImageSize, given: { width: number; height: number }) {
  const shape = sizeInPixels(size);
  const scale = Math.min(given.width / shape.width, given.height / shape.height);
  const width = Math.max(1, Math.round(shape.width * scale));
  const height = Math.max(1, Math.round(shape.height * scale));
  const isSame = width * height > 0.98 * given.width * given.height;
  return isSame ? given : { width, height };
}
