import type { Sharp } from 'sharp';
import { VERSION_MAX_MEGAPIXELS } from '#libs/contract/limits.js';
import { decodePicture } from '#libs/pictures/decode-picture.js';

export interface VersionPicture {
  content: Buffer;
  type: string;
  width: number;
  height: number;
  /** WebP. */
  thumbnail: Buffer;
}

/** Time limits for decoding and for encoding a picture, in seconds. */
const DECODE_SECONDS = 20;

/**
 * Re-encodes an edited picture: upright, in sRGB, without metadata. The pixels of a PNG stay the same.
 * @param path a file whose header was checked
 * @throws AppError UNREADABLE_IMAGE; UNAVAILABLE when too many wait
 */
export const readVersionPicture = ({ path, type }: { path: string; type: string }): Promise<VersionPicture> =>
  decodePicture(path, async () => {
    const [{ default: sharp }, { toThumbnail }] = await Promise.all([
      import('sharp'),
      import('#libs/local-engine/images/raster.js'),
    ]);
    sharp.cache(false);
    const image = () =>
      sharp(path, {
        failOn: 'error',
        limitInputPixels: VERSION_MAX_MEGAPIXELS * 1_000_000,
        sequentialRead: true,
      })
        .timeout({ seconds: DECODE_SECONDS })
        .autoOrient()
        .toColourspace('srgb');
    const thumbnail = await toThumbnail(image());
    const { data, info } = await encode(image(), type).toBuffer({
      resolveWithObject: true,
    });
    return { content: data, type, width: info.width, height: info.height, thumbnail };
  });

function encode(image: Sharp, type: string): Sharp {
  if (type === 'image/png') return image.png({ compressionLevel: 6 });
  // Lossless encoding of 25 megapixels takes 20 seconds.
  if (type === 'image/webp') return image.webp({ quality: 95 });
  return image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' });
}
