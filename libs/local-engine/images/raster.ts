import sharp, { type Sharp } from 'sharp';
import { ANSWER_MAX_MEGAPIXELS, IMAGE_MAX_MEGAPIXELS } from '#libs/contract/limits.js';
import { EngineError } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import { typeOf } from '#libs/contract/file-type.js';
import { readImageHeader } from '#libs/pictures/image-header.js';
import { decodeBmp, decodeHeic } from './other-formats.js';

/** Larger images are rejected: decoded, they would fill the memory. */
export const IMAGE_MAX_PIXELS = IMAGE_MAX_MEGAPIXELS * 1_000_000;

export const ANSWER_MAX_PIXELS = ANSWER_MAX_MEGAPIXELS * 1_000_000;

/** A decoded image: upright, sRGB, 8 bits per channel, RGBA, rows from the top. */
export interface RgbaImage {
  pixels: Buffer;
  width: number;
  height: number;
  /** What the user should know about the file: that its end is missing, or that it has further frames. */
  fileNotice?: string;
  /** Pixels per inch when printed; missing if the file does not say, or says 72, which most programs write unasked. */
  density?: number;
}

/** One byte per pixel. */
export interface GrayImage {
  values: Uint8Array;
  width: number;
  height: number;
}

/**
 * Decodes an image to 8-bit sRGB, with the EXIF orientation applied; of an animation, the first frame. If the end of the
 * file is missing, the rest is decoded.
 * @throws AppError UNREADABLE_IMAGE for bytes that are no image, lack half of it or more, or have too many pixels
 */
export const decodeImage = (bytes: Uint8Array, maxPixels = IMAGE_MAX_PIXELS): Promise<RgbaImage> =>
  decode(bytes, maxPixels, (image) => image.autoOrient().toColourspace('srgb').ensureAlpha());

/** A small copy on white, of three bytes a pixel, or four. @throws AppError UNREADABLE_IMAGE */
export const decodeSmall = (
  bytes: Uint8Array,
  side: number,
  channels: 'rgb' | 'rgba' = 'rgb',
): Promise<RgbaImage> =>
  decode(bytes, IMAGE_MAX_PIXELS, (image) => {
    const small = image
      .autoOrient()
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .toColourspace('srgb');
    return channels === 'rgba' ? small.ensureAlpha() : small;
  });

async function decode(
  bytes: Uint8Array,
  maxPixels: number,
  prepare: (image: Sharp) => Sharp,
): Promise<RgbaImage> {
  try {
    const image = await openInput(bytes, maxPixels);
    const { pages = 1, format, density = UNSTATED_DENSITY } = await image.metadata();
    const photo = await toPixels(prepare(image));
    return {
      ...photo,
      ...(pages > 1 && { fileNotice: onlyFirst(pages, format === 'tiff' ? 'pages' : 'frames') }),
      ...(density !== UNSTATED_DENSITY && { density }),
    };
  } catch (cause) {
    const rest = await readRest(bytes, maxPixels, prepare);
    if (rest === null || missingShare(rest) > MAX_MISSING_SHARE) throw unreadable(cause);
    return { ...rest, fileNotice: hasEnd(bytes) ? DAMAGED : CUT_OFF };
  }
}

const UNSTATED_DENSITY = 72;

/** What there is of a damaged image; null for bytes that are no image. */
async function readRest(
  bytes: Uint8Array,
  maxPixels: number,
  prepare: (image: Sharp) => Sharp,
): Promise<RgbaImage | null> {
  try {
    return await toPixels(prepare(openImage(bytes, maxPixels, 'none')));
  } catch {
    return null;
  }
}

async function openInput(bytes: Uint8Array, maxPixels: number): Promise<Sharp> {
  const type = typeOf(bytes);
  if (type !== 'image/heic' && type !== 'image/bmp') return openImage(bytes, maxPixels);
  const { width, height } = await readImageHeader(bytes);
  if (width * height > maxPixels) throw new Error('The image has too many pixels.');
  return toSharp(type === 'image/heic' ? await decodeHeic(bytes) : decodeBmp(bytes));
}

async function toPixels(image: Sharp): Promise<RgbaImage> {
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** A cut-off picture is refused if more of it is missing. */
const MAX_MISSING_SHARE = 0.5;
const CUT_OFF = 'The end of this file is missing. What is there was used.';
const DAMAGED = 'A part of this file is damaged: check the result.';

/** The last bytes of a whole file; some programs append a few more. */
const ends: Record<string, string> = { 'image/png': 'IEND', 'image/jpeg': '\xff\xd9', 'image/gif': ';' };
const TAIL_BYTES = 64;

function hasEnd(bytes: Uint8Array): boolean {
  const end = ends[typeOf(bytes) ?? ''];
  return end !== undefined && Buffer.from(bytes.subarray(-TAIL_BYTES)).includes(end, 0, 'latin1');
}

const onlyFirst = (count: number, parts: string) =>
  `This file has ${count} ${parts}. Only the first was used.`;

/** The share of rows at the end that have one colour, with which decoders fill what is missing. */
function missingShare({ pixels, width, height }: RgbaImage): number {
  const channels = pixels.length / (width * height);
  const rowBytes = width * channels;
  const filling = Buffer.alloc(rowBytes, pixels.subarray(-channels));
  let row = height;
  while (row > 0 && pixels.subarray((row - 1) * rowBytes, row * rowBytes).equals(filling)) row -= 1;
  return 1 - row / height;
}

/**
 * Decodes a mask and scales it: 255 where it is painted, 0 elsewhere. Every pixel that is neither fully transparent nor
 * black is painted, so that white on black and strokes on a transparent ground both work.
 * @throws AppError UNREADABLE_IMAGE as {@link decodeImage} does
 */
export async function readMask(bytes: Uint8Array, width: number, height: number): Promise<GrayImage> {
  const mask = await decodeImage(bytes);
  const values = new Uint8Array(mask.width * mask.height);
  for (let i = 0, p = 0; i < values.length; i += 1, p += 4) {
    const { pixels } = mask;
    const brightest = Math.max(pixels[p] as number, pixels[p + 1] as number, pixels[p + 2] as number);
    if ((pixels[p + 3] as number) > 0 && brightest > MAX_BLACK) values[i] = 255;
  }
  const plane = { values, width: mask.width, height: mask.height };
  if (mask.width === width && mask.height === height) return plane;
  // A thin stroke must not vanish when the mask is scaled down.
  return painted(await resizeGray(plane, width, height, 'linear'), 32);
}

/** A mask without values between: 255 from `least` on. */
export const painted = ({ values, width, height }: GrayImage, least = 1): GrayImage => ({
  values: values.map((value) => (value >= least ? 255 : 0)),
  width,
  height,
});

/** The brightest value that counts as black, for lossy editors. */
const MAX_BLACK = 15;

export async function resizeGray(
  plane: GrayImage,
  width: number,
  height: number,
  kernel: 'linear' | 'cubic',
): Promise<GrayImage> {
  const raw = { width: plane.width, height: plane.height, channels: 1 as const };
  const data = await sharp(plane.values, { raw, limitInputPixels: false })
    .resize(width, height, { fit: 'fill', kernel })
    .extractChannel(0)
    .raw()
    .toBuffer();
  return { values: data, width, height };
}

export async function resizeRgba(photo: RgbaImage, width: number, height: number): Promise<RgbaImage> {
  const pixels = await toSharp(photo).resize(width, height, { fit: 'fill' }).raw().toBuffer();
  return { pixels, width, height };
}

export const toSharp = ({ pixels, width, height }: RgbaImage) =>
  sharp(pixels, { raw: { width, height, channels: 4 }, limitInputPixels: false });

/** Opens an image with the limits; it is decoded later. */
export const openImage = (
  bytes: Uint8Array,
  maxPixels = IMAGE_MAX_PIXELS,
  failOn: 'error' | 'none' = 'error',
) => sharp(bytes, { failOn, limitInputPixels: maxPixels, sequentialRead: true });

/** A PNG without metadata but the density. */
export const toPng = (photo: RgbaImage): Promise<Buffer> => {
  const png = toSharp(photo).png({ compressionLevel: 6 });
  return (photo.density === undefined ? png : png.withDensity(photo.density)).toBuffer();
};

/** A mask as a PNG of few bytes. */
export const toMaskPng = ({ values, width, height }: GrayImage): Promise<Buffer> =>
  sharp(values, { raw: { width, height, channels: 1 }, limitInputPixels: false })
    .toColourspace('b-w')
    .png({ compressionLevel: 9 })
    .toBuffer();

const THUMBNAIL_SIDE = 480;

/** A WebP of at most 480 × 480 pixels, never larger than the image. */
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

/** The answer of an AI service is no image. */
export const notAPicture = (cause: unknown) =>
  new EngineError('The AI service answered with something that is no picture. Try again.', {
    retryable: true,
    cause,
  });
