import sharp, { type Sharp } from 'sharp';
import { IMAGE_MAX_MEGAPIXELS } from '#libs/contract/config.js';
import { AppError } from '#libs/contract/errors.js';

/** Pictures of more pixels than this are refused: decoded, they would fill the memory. */
export const IMAGE_MAX_PIXELS = IMAGE_MAX_MEGAPIXELS * 1_000_000;

/** A decoded picture: upright, sRGB, 8 bits, four bytes a pixel (red, green, blue, alpha), rows from the top. */
export interface Photo {
  pixels: Buffer;
  width: number;
  height: number;
}

/** One value a pixel: 0 to 255. */
export interface Plane {
  values: Uint8Array;
  width: number;
  height: number;
}

/**
 * Decodes any picture that sharp reads: colours and depth brought to 8-bit sRGB, the camera's orientation applied,
 * the first frame of an animation.
 * @throws AppError UNREADABLE_IMAGE for bytes that are no picture, are cut off, or hold too many pixels
 */
export async function readPhoto(bytes: Uint8Array): Promise<Photo> {
  try {
    const { data, info } = await open(bytes)
      .autoOrient()
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { pixels: data, width: info.width, height: info.height };
  } catch (cause) {
    throw unreadable(cause);
  }
}

/**
 * Decodes a mask, scaled to a size: 255 where it is painted, 0 elsewhere. Painted is every pixel that is neither
 * fully transparent nor black, so that white on black and strokes on a transparent sheet both work.
 * @throws AppError UNREADABLE_IMAGE as {@link readPhoto} does
 */
export async function readMask(bytes: Uint8Array, width: number, height: number): Promise<Plane> {
  const mask = await readPhoto(bytes);
  const painted = new Uint8Array(mask.width * mask.height);
  for (let i = 0, p = 0; i < painted.length; i += 1, p += 4) {
    const { pixels } = mask;
    const brightest = Math.max(pixels[p] as number, pixels[p + 1] as number, pixels[p + 2] as number);
    if ((pixels[p + 3] as number) > 0 && brightest > BLACK) painted[i] = 255;
  }
  const plane = { values: painted, width: mask.width, height: mask.height };
  if (mask.width === width && mask.height === height) return plane;
  const scaled = await resizePlane(plane, width, height, 'linear');
  // A thin stroke must not vanish when a large mask is made smaller.
  for (let i = 0; i < scaled.values.length; i += 1)
    scaled.values[i] = (scaled.values[i] as number) >= 32 ? 255 : 0;
  return scaled;
}

/** What a lossy editor may leave where it meant black. */
const BLACK = 15;

export async function resizePlane(
  plane: Plane,
  width: number,
  height: number,
  kernel: 'linear' | 'cubic',
): Promise<Plane> {
  const raw = { width: plane.width, height: plane.height, channels: 1 as const };
  const data = await sharp(plane.values, { raw, limitInputPixels: false })
    .resize(width, height, { fit: 'fill', kernel })
    .extractChannel(0)
    .raw()
    .toBuffer();
  return { values: data, width, height };
}

/** A scaled copy, of at least one pixel each way. */
export async function resizePhoto(photo: Photo, width: number, height: number): Promise<Photo> {
  const pixels = await fromPixels(photo).resize(width, height, { fit: 'fill' }).raw().toBuffer();
  return { pixels, width, height };
}

export const fromPixels = ({ pixels, width, height }: Photo) =>
  sharp(pixels, { raw: { width, height, channels: 4 }, limitInputPixels: false });

/** Opens the bytes of a picture with our limits; nothing is decoded yet. */
export const open = (bytes: Uint8Array) =>
  sharp(bytes, { failOn: 'error', limitInputPixels: IMAGE_MAX_PIXELS, sequentialRead: true });

/** A PNG without metadata. */
export const toPng = (photo: Photo): Promise<Buffer> =>
  fromPixels(photo).png({ compressionLevel: 6 }).toBuffer();

/** The longest side of a thumbnail, in pixels. */
const THUMBNAIL_SIDE = 480;

/** A WebP that fits a square of 480 pixels; what is transparent stays so. Never larger than the picture. */
export const toThumbnail = (image: Sharp): Promise<Buffer> =>
  image
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82 })
    .toBuffer();

const unreadable = (cause: unknown) =>
  new AppError(
    'UNREADABLE_IMAGE',
    'This picture cannot be read: it is damaged, cut off, or too large. Save it again as PNG or JPEG and try once more.',
    { cause },
  );
