import { EngineError } from '#libs/contract/engine-error.js';
import { openImage, toThumbnail } from './raster.js';

/** A JPEG without metadata on white, and a thumbnail. @throws EngineError when the bytes are no image */
export async function toJpegFiles(bytes: Uint8Array) {
  try {
    const { data, info } = await openImage(bytes)
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
    throw new EngineError('The AI service answered with something that is no picture. Try again.', {
      retryable: true,
      cause,
    });
  }
}
