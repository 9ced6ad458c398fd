import type { Sharp } from 'sharp';
import { VERSION_MAX_MEGAPIXELS } from '#libs/contract/limits.js';
import { decodePicture } from '#libs/pictures/decode-picture.js';

export interface VersionPicture {
  content: Buffer;
  type: string;
  width: number;
  height: number;
  /** Thumbnail as WebP. */
  thumbnail: Buffer;
}

/** Time limits in seconds for decoding and for encoding a picture. */
const DECODE_SECONDS = 20;

/**
 * Re-encodes an edited picture: rotated upright, in sRGB, without metadata but the density. PNG stays lossless.
 * @param path file whose header was already checked
 * @throws AppError UNREADABLE_IMAGE; UNAVAILABLE if too many pictures are waiting
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
    const { density } = await image().metadata();
    const encoded = encode(image(), type);
    const { data, info } = await (density === undefined ? encoded : encoded.withDensity(density)).toBuffer({
      resolveWithObject: true,
    });
    return { content: data, type, width: info.width, height: info.height, thumbnail };
  });

function encode(image: Sharp, type: string): Sharp {
  if (type === 'image/png') return image.png({ compressionLevel: 6 });
  // Lossy, since lossless encoding of 25 megapixels takes 20 seconds.
  if (type === 'image/webp') return image.webp({ quality: 95 });
  return image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' });
}
