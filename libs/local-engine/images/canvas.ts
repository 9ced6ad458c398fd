import sharp from 'sharp';
import { imageSizes, sizeInPixels, type ImageSize } from '#libs/contract/image-sizes.js';
import { EngineError } from '#libs/contract/engine-error.js';
import { AppError } from '#libs/contract/errors.js';
import { applyAlpha } from './cut-out.js';
import { readPainted } from './inpaint.js';
import { fromPixels, readPhoto, resizePhoto, resizePlane, type Photo, type Plane } from './photo.js';

/** A picture laid on a canvas of a size that image models take, and where on it. */
export interface Canvas {
  size: ImageSize;
  image: Buffer;
  /** Where the picture lies on the canvas, in its pixels. */
  place: { left: number; top: number; width: number; height: number };
  /** Transparent where the model may change the picture; only when a mask was given. */
  mask?: Buffer;
}

/**
 * Lays a picture on the canvas whose shape is nearest to its own, as large as it fits; what is left over repeats
 * the picture's edge, so that a model sees no frame.
 * @throws AppError UNREADABLE_IMAGE; VALIDATION_FAILED for an empty mask
 */
export async function layOnCanvas(bytes: Uint8Array, maskBytes: Uint8Array | null): Promise<Canvas> {
  const photo = await readPhoto(bytes);
  const size = nearestSize(photo);
  const { width, height } = sizeInPixels(size);
  const scale = Math.min(width / photo.width, height / photo.height);
  const place = {
    left: 0,
    top: 0,
    width: Math.min(width, Math.max(1, Math.round(photo.width * scale))),
    height: Math.min(height, Math.max(1, Math.round(photo.height * scale))),
  };
  place.left = Math.floor((width - place.width) / 2);
  place.top = Math.floor((height - place.height) / 2);
  const around = {
    left: place.left,
    top: place.top,
    right: width - place.width - place.left,
    bottom: height - place.height - place.top,
  };
  const scaled = await resizePhoto(photo, place.width, place.height);
  const image = await fromPixels(scaled)
    .extend({ ...around, extendWith: 'copy' })
    .png()
    .toBuffer();
  if (!maskBytes) return { size, image, place };

  const painted = await readPainted(maskBytes, photo);
  const open = await resizePlane(painted, place.width, place.height, 'linear');
  const kept = Buffer.alloc(place.width * place.height * 4);
  for (let i = 0; i < open.values.length; i += 1) kept[i * 4 + 3] = (open.values[i] as number) > 0 ? 0 : 255;
  const mask = await fromPixels({ pixels: kept, width: place.width, height: place.height })
    .extend({ ...around, background: { r: 0, g: 0, b: 0, alpha: 1 } })
    .png()
    .toBuffer();
  return { size, image, place, mask };
}

/** The size whose ratio of width to height is nearest, on a scale where twice and half are equally far. */
function nearestSize(photo: { width: number; height: number }): ImageSize {
  const off = (size: ImageSize) => {
    const { width, height } = sizeInPixels(size);
    return Math.abs(Math.log((photo.width * height) / (photo.height * width)));
  };
  return imageSizes.reduce((best, size) => (off(size) < off(best) ? size : best));
}

/**
 * A model's answer at the size of the picture that it was made from. An answer in the canvas's shape is cut to where
 * the picture lies; one in the picture's own shape is taken whole; one of any other shape is fitted inside.
 * @throws EngineError when the answer is no picture
 */
async function bringBack(
  answer: Uint8Array,
  canvas: Pick<Canvas, 'size' | 'place'>,
  photo: Photo,
): Promise<Photo> {
  const whole = await readAnswer(answer);
  const { width, height } = sizeInPixels(canvas.size);
  const ratio = whole.width / whole.height;
  const isLike = (w: number, h: number) => Math.abs(Math.log((ratio * h) / w)) < 0.02;
  const target = { width: photo.width, height: photo.height };
  if (isLike(width, height)) {
    const scale = whole.width / width;
    const left = Math.round(canvas.place.left * scale);
    const top = Math.round(canvas.place.top * scale);
    const cut = {
      left,
      top,
      width: Math.max(1, Math.min(whole.width - left, Math.round(canvas.place.width * scale))),
      height: Math.max(1, Math.min(whole.height - top, Math.round(canvas.place.height * scale))),
    };
    const pixels = await fromPixels(whole)
      .extract(cut)
      .resize(target.width, target.height, { fit: 'fill' })
      .raw()
      .toBuffer();
    return { pixels, ...target };
  }
  const fit = isLike(photo.width, photo.height) ? 'fill' : 'contain';
  const pixels = await fromPixels(whole)
    .resize(target.width, target.height, { fit, background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .raw()
    .toBuffer();
  return { pixels, ...target };
}

/** A finished picture, and whose pixels it consists of. */
export interface Finished {
  photo: Photo;
  /** The picture's own pixels were kept, or the model painted it anew. */
  pixels: 'own' | 'model';
}

/** Mean difference of a channel, 0 to 255, up to which a model has kept the subject as it was. */
const SAME = 14;

/**
 * The picture with the answer's transparency. Where the model left the subject as it was, the picture's own pixels
 * are kept, which are sharper and truer; where it painted the subject anew, its outline would not fit them, and the
 * model's pixels are taken.
 * @throws EngineError when the answer has no transparency
 */
export async function finishCutOut(
  bytes: Uint8Array,
  answer: Uint8Array,
  canvas: Pick<Canvas, 'size' | 'place'>,
): Promise<Finished> {
  const photo = await readPhoto(bytes);
  const made = await bringBack(answer, canvas, photo);
  let [difference, solid, clear] = [0, 0, 0];
  for (let i = 0; i < made.pixels.length; i += 4) {
    const alpha = made.pixels[i + 3] as number;
    if (alpha < 128) clear += 1;
    if (alpha < 250) continue;
    solid += 1;
    for (let c = i; c < i + 3; c += 1)
      difference += Math.abs((made.pixels[c] as number) - (photo.pixels[c] as number));
  }
  if (clear === 0 || solid === 0) throw notCutOut();
  if (difference / (3 * solid) > SAME) return { photo: made, pixels: 'model' };
  applyAlpha(
    photo,
    Uint8Array.from({ length: photo.width * photo.height }, (_, i) => made.pixels[i * 4 + 3] as number),
  );
  return { photo, pixels: 'own' };
}

/**
 * The picture with the object gone. With a mask, only what it covers is taken from the answer, with a soft rim
 * inside it; every other pixel keeps its value exactly. Without one, the model's picture is taken whole.
 */
export async function finishErase(
  bytes: Uint8Array,
  maskBytes: Uint8Array | null,
  answer: Uint8Array,
  canvas: Pick<Canvas, 'size' | 'place'>,
): Promise<Finished> {
  const photo = await readPhoto(bytes);
  const made = await bringBack(answer, canvas, photo);
  if (!maskBytes) return { photo: made, pixels: 'model' };
  const weights = await softInside(await readPainted(maskBytes, photo));
  for (let i = 0; i < weights.values.length; i += 1) {
    const weight = (weights.values[i] as number) / 255;
    if (weight === 0) continue;
    for (let c = i * 4; c < i * 4 + 4; c += 1) {
      photo.pixels[c] = Math.round(
        (photo.pixels[c] as number) * (1 - weight) + (made.pixels[c] as number) * weight,
      );
    }
  }
  return { photo, pixels: 'own' };
}

/** The mask, softened towards its inside: 0 outside of it, 255 a little way in. */
async function softInside({ values, width, height }: Plane): Promise<Plane> {
  const blurred = await sharp(values, { raw: { width, height, channels: 1 }, limitInputPixels: false })
    .blur(Math.max(0.8, Math.max(width, height) / 600))
    .extractChannel(0)
    .raw()
    .toBuffer();
  // Half of the blur lies outside of the mask: what is left of it inside runs from one half to one.
  const soft = Uint8Array.from(blurred, (value, i) =>
    values[i] === 0 ? 0 : Math.max(0, value - 128) * 2 + 1,
  );
  return { values: soft, width, height };
}

async function readAnswer(answer: Uint8Array): Promise<Photo> {
  try {
    return await readPhoto(answer);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new EngineError('The AI service answered with something that is no picture. Try again.', {
      retryable: true,
      cause,
    });
  }
}

const notCutOut = () =>
  new EngineError(
    'The AI service gave back no picture with a transparent background. An operator needs to set AI_IMAGE_MODEL to a model that can make one.',
    { retryable: false },
  );
