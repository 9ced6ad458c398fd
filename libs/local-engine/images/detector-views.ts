import sharp from 'sharp';
import { withoutOverlaps } from '#libs/models/runner/boxes.js';
import type { DetectedObject, RgbPicture } from '#libs/models/runner/messages.js';
import type { RgbaImage } from './raster.js';

type Box = DetectedObject['box'];

const squareOf = (left: number, top: number, side: number): Box => ({
  left,
  top,
  right: left + side,
  bottom: top + side,
});

const PART = 0.45;
const STEPS = [0, (1 - PART) / 2, 1 - PART];

/**
 * The views for the detector when it does not find an object in the whole picture, in shares of the picture: one with a
 * margin, in which large objects are smaller, and overlapping parts, in which small objects are larger.
 */
export const detectorViews: readonly Box[] = [
  squareOf(-0.25, -0.25, 1.5),
  ...STEPS.flatMap((top) => STEPS.map((left) => squareOf(left, top, PART))),
];

/**
 * Draws a view. The margin around the picture has the colours of its edge.
 * @param photo with three bytes a pixel
 * @param maxSide longest side of the view, in pixels
 */
export async function drawView(
  { pixels, width, height }: RgbaImage,
  view: Box,
  maxSide: number,
): Promise<RgbPicture> {
  const inside = clip(view);
  const left = Math.round(inside.left * width);
  const top = Math.round(inside.top * height);
  const visible = {
    left,
    top,
    width: Math.max(1, Math.round(inside.right * width) - left),
    height: Math.max(1, Math.round(inside.bottom * height) - top),
  };
  const longest = Math.max((view.right - view.left) * width, (view.bottom - view.top) * height);
  const scale = Math.min(1, maxSide / longest);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  const { data, info } = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .extract(visible)
    .resize(side(visible.width), side(visible.height), { fit: 'fill' })
    .extend({
      left: Math.round((inside.left - view.left) * width * scale),
      top: Math.round((inside.top - view.top) * height * scale),
      right: Math.round((view.right - inside.right) * width * scale),
      bottom: Math.round((view.bottom - inside.bottom) * height * scale),
      extendWith: 'copy',
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** The lowest score of an object in a view. It is high because ten views give more false detections than one. */
const MIN_SCORE = 0.65;

/**
 * Merges the objects found in the views, with their boxes in the picture.
 * @param shown the objects found in each of {@link detectorViews}, in their order
 */
export function mergeViews(shown: DetectedObject[][]): DetectedObject[] {
  const found = shown.flatMap((objects, k) =>
    objects.flatMap((one) => inPicture(one, detectorViews[k] as Box)),
  );
  return withoutOverlaps(
    found.filter(({ score }) => score >= MIN_SCORE),
    (one, other) => one.name === other.name,
  );
}

/** An object this near to the edge of a part of the picture is most likely cut off there. */
const EDGE = 0.02;

/** An object of a view with its box in the picture; empty when the view cuts the object off. */
function inPicture({ box, ...object }: DetectedObject, view: Box): DetectedObject[] {
  const isCutOff =
    (box.left < EDGE && view.left > 0) ||
    (box.top < EDGE && view.top > 0) ||
    (box.right > 1 - EDGE && view.right < 1) ||
    (box.bottom > 1 - EDGE && view.bottom < 1);
  if (isCutOff) return [];
  const x = (share: number) => view.left + share * (view.right - view.left);
  const y = (share: number) => view.top + share * (view.bottom - view.top);
  const inView = { left: x(box.left), top: y(box.top), right: x(box.right), bottom: y(box.bottom) };
  return [{ ...object, box: clip(inView) }];
}

function clip({ left, top, right, bottom }: Box): Box {
  const inside = (share: number) => Math.min(1, Math.max(0, share));
  return { left: inside(left), top: inside(top), right: inside(right), bottom: inside(bottom) };
}
