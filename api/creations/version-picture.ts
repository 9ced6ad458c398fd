import type { Metadata, Sharp } from 'sharp';
import { VERSION_MAX_MEGAPIXELS } from '#libs/contract/config.js';
import type { Content } from '#libs/storage/object-store.js';
import { decodePicture } from '../files/picture-memory.js';

export interface VersionPicture {
  content: Content;
  /** Of content on disk; that of content in memory is computed where it is stored. */
  sha256?: string;
  type: string;
  width: number;
  height: number;
  /** A WebP. */
  thumbnail: Buffer;
}

/** Seconds that one picture has to be decoded, and to be encoded again. */
const DECODE_SECONDS = 20;

/**
 * Decodes an edited picture once, whole, for its thumbnail. One without metadata stays as it is; another is encoded anew,
 * upright and in sRGB.
 * @param file on disk, whose header was checked
 * @throws AppError UNREADABLE_IMAGE; UNAVAILABLE when too many wait
 */
export const readVersionPicture = (file: {
  path: string;
  bytes: number;
  type: string;
  sha256: string;
}): Promise<VersionPicture> =>
  decodePicture(file.path, async () => {
    const [{ default: sharp }, { toThumbnail }] = await Promise.all([
      import('sharp'),
      import('#libs/local-engine/images/raster.js'),
    ]);
    sharp.cache(false);
    const open = () =>
      sharp(file.path, {
        failOn: 'error',
        limitInputPixels: VERSION_MAX_MEGAPIXELS * 1_000_000,
        sequentialRead: true,
      })
        .timeout({ seconds: DECODE_SECONDS })
        .autoOrient();
    const metadata = await open().metadata();
    const thumbnail = await toThumbnail(open().toColourspace('srgb'));
    const { path, bytes, type, sha256 } = file;
    if (isPlain(metadata)) {
      const { width, height } = metadata;
      return { content: { path, bytes }, sha256, type, width, height, thumbnail };
    }
    const { data, info } = await encode(open().toColourspace('srgb'), type).toBuffer({
      resolveWithObject: true,
    });
    return { content: data, type, width: info.width, height: info.height, thumbnail };
  });

const isPlain = ({ exif, icc, iptc, xmp, comments, pages, orientation }: Metadata): boolean =>
  [exif, icc, iptc, xmp].every((part) => part === undefined) &&
  (comments ?? []).length === 0 &&
  (pages ?? 1) === 1 &&
  (orientation ?? 1) === 1;

function encode(image: Sharp, type: string): Sharp {
  if (type === 'image/png') return image.png({ compressionLevel: 6 });
  if (type === 'image/webp') return image.webp({ quality: 95 });
  return image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' });
}
