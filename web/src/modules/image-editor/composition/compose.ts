import { VERSION_MAX_MEGAPIXELS } from '#libs/contract/limits.js';
import type { Size } from '../../../shared/lib/picture';
import { coverCanvas, placeCutOut, type Box, type Placement } from './geometry';
import { findSize } from './picture-sizes';
import { isFlattened, type CutOutSettings, type Shadow } from './settings';
import { blurBehind, toShadow } from './blur';

/** The images from which a composition is drawn. For previews, they are smaller copies. */
export interface Sources {
  cutOut: ImageBitmap;
  /** Null if this device doesn't have the original. */
  original: ImageBitmap | null;
  picture: ImageBitmap | null;
}

/** Full size of a cut-out, and the bounds of its subject; null if all of the image is transparent. */
export interface CutOutShape {
  size: Size;
  subject: Box | null;
}

/**
 * Longest side, in pixels, at which blurred layers are computed before they are scaled up; blurring hides the difference.
 */
const SOFT_SIDE = 512;
const MAX_PIXELS = VERSION_MAX_MEGAPIXELS * 1_000_000;

export const layOut = ({ size, subject }: CutOutShape, settings: CutOutSettings) =>
  placeCutOut(
    size,
    subject,
    { framing: settings.framing, margin: settings.margin, size: findSize(settings.size) ?? null },
    MAX_PIXELS,
  );

/** Draws a composition. @param maxSide longest side in pixels for a preview; full size without it */
export function compose(
  sources: Sources,
  shape: CutOutShape,
  settings: CutOutSettings,
  maxSide = Infinity,
): OffscreenCanvas {
  const { width, height, placement } = layOut(shape, settings);
  const factor = Math.min(1, maxSide / Math.max(width, height));
  const canvas = newCanvas({ width: width * factor, height: height * factor });
  const context = contextOf(canvas);
  const place = scaled(placement, factor);
  context.imageSmoothingQuality = 'high';
  drawBackground(context, sources, settings, place);
  if (settings.shadow) drawShadow(context, sources.cutOut, shape, settings.shadow, place);
  context.drawImage(sources.cutOut, place.left, place.top, place.width, place.height);
  return canvas;
}

function drawBackground(
  context: OffscreenCanvasRenderingContext2D,
  { cutOut, original, picture }: Sources,
  settings: CutOutSettings,
  place: Placement,
): void {
  const { canvas } = context;
  const { background, colour, blur } = settings;
  const fill = (style: string) => {
    context.fillStyle = style;
    context.fillRect(0, 0, canvas.width, canvas.height);
  };
  if (background === 'colour') fill(colour);
  else if (isFlattened(settings) || settings.format === 'jpeg') fill('#ffffff');
  if (background === 'blur' && original !== null) {
    draw(context, blurOriginal(original, cutOut, blur), coverCanvas(original, canvas, place));
  }
  if (background === 'picture' && picture !== null) draw(context, picture, coverCanvas(picture, canvas));
}

function blurOriginal(original: ImageBitmap, cutOut: ImageBitmap, percent: number): OffscreenCanvas {
  const small = smallSize(original);
  const photo = pixelsOf(original, small);
  const alpha = pixelsOf(cutOut, small);
  blurBehind(photo.image.data, alpha.image.data, small, (percent / 100) * SOFT_SIDE);
  photo.context.putImageData(photo.image, 0, 0);
  return photo.context.canvas;
}

function drawShadow(
  context: OffscreenCanvasRenderingContext2D,
  cutOut: ImageBitmap,
  { size, subject }: CutOutShape,
  { x, y, blur, strength }: Shadow,
  place: Placement,
): void {
  const unit = Math.max(subject?.width ?? size.width, subject?.height ?? size.height) / 100;
  const small = smallSize(size);
  const toSmall = small.width / size.width;
  const radius = (blur * unit * toSmall) / 2;
  // A blurred shadow extends beyond the cut-out, so add an edge around it.
  const edge = Math.ceil(3 * radius) + 1;
  const padded = { width: small.width + 2 * edge, height: small.height + 2 * edge };
  const { image, context: shadow } = pixelsOf(cutOut, padded, edge);
  toShadow(image.data, padded, radius, strength / 100);
  shadow.putImageData(image, 0, 0);
  const toPlace = place.width / small.width;
  const offset = (percent: number) => (percent * unit * place.width) / size.width;
  draw(context, shadow.canvas, {
    left: place.left - edge * toPlace + offset(x),
    top: place.top - edge * toPlace + offset(y),
    width: padded.width * toPlace,
    height: padded.height * toPlace,
  });
}

const draw = (context: OffscreenCanvasRenderingContext2D, image: CanvasImageSource, box: Box) =>
  context.drawImage(image, box.left, box.top, box.width, box.height);

/** Scales an image to `size` minus a transparent edge on all sides. @returns the pixels and their canvas context */
function pixelsOf(picture: ImageBitmap, size: Size, edge = 0) {
  const context = contextOf(newCanvas(size));
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, edge, edge, size.width - 2 * edge, size.height - 2 * edge);
  return { context, image: context.getImageData(0, 0, size.width, size.height) };
}

function smallSize({ width, height }: Size): Size {
  const factor = Math.min(1, SOFT_SIDE / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * factor)),
    height: Math.max(1, Math.round(height * factor)),
  };
}

const scaled = ({ left, top, width, height, scale }: Placement, factor: number): Placement => ({
  left: left * factor,
  top: top * factor,
  width: width * factor,
  height: height * factor,
  scale: scale * factor,
});

export const newCanvas = ({ width, height }: Size): OffscreenCanvas =>
  new OffscreenCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));

export function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null)
    throw new Error('This browser does not have enough memory for an image of this size.');
  return context;
}
