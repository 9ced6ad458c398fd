import type { Size } from '../../../shared/lib/picture';

export interface Box extends Size {
  left: number;
  top: number;
}

/** Position of the whole cut-out in pixels of the canvas. A cropped cut-out extends beyond the canvas. */
export interface Placement extends Size {
  left: number;
  top: number;
  /** Canvas pixels per pixel of the cut-out. */
  scale: number;
}

export interface Framing {
  framing: 'whole' | 'subject';
  /**
   * Margin around the subject, as percentage of the shorter side of `size`, or of the subject's longer side if `size` is
   * null.
   */
  margin: number;
  /** Size of the canvas in pixels; null derives it from the cut-out and the margin. */
  size: Size | null;
}

/** Pixels with less alpha don't count as subject, since a cut-out's edges fade out gradually. */
const FAINT = 16;

/** Bounds of the subject's pixels; null if there are none. @param pixels RGBA, row by row */
export function subjectBox(pixels: Uint8ClampedArray, { width, height }: Size): Box | null {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0, p = 3; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, p += 4) {
      if ((pixels[p] as number) < FAINT) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** Converts a box in a smaller copy to the full image, rounded outwards. */
export function enlargeBox(box: Box, scale: number, { width, height }: Size): Box {
  const left = Math.max(0, Math.floor(box.left * scale));
  const top = Math.max(0, Math.floor(box.top * scale));
  return {
    left,
    top,
    width: Math.min(width, Math.ceil((box.left + box.width) * scale)) - left,
    height: Math.min(height, Math.ceil((box.top + box.height) * scale)) - top,
  };
}

/**
 * Places a cut-out, whole or cropped to its subject, on a canvas of the cut-out's own size or of a given size.
 * @param maxPixels maximum number of pixels of the canvas; a larger canvas is scaled down
 */
export function placeCutOut(
  image: Size,
  subject: Box | null,
  { framing, margin, size }: Framing,
  maxPixels: number,
): Size & { placement: Placement } {
  const isCropped = framing === 'subject' && subject !== null;
  const area: Box = isCropped ? subject : { left: 0, top: 0, ...image };
  const share = isCropped ? margin / 100 : 0;
  const edge = share * (size ? Math.min(size.width, size.height) : Math.max(area.width, area.height));
  const full: Size = size ?? { width: area.width + 2 * edge, height: area.height + 2 * edge };
  const shrink = Math.min(1, Math.sqrt(maxPixels / (full.width * full.height)));
  const fit = size
    ? Math.min((size.width - 2 * edge) / area.width, (size.height - 2 * edge) / area.height)
    : 1;
  const scale = fit * shrink;
  const width = Math.max(1, shrink < 1 ? Math.floor(full.width * shrink) : Math.round(full.width));
  const height = Math.max(1, shrink < 1 ? Math.floor(full.height * shrink) : Math.round(full.height));
  return {
    width,
    height,
    placement: {
      left: (width - area.width * scale) / 2 - area.left * scale,
      top: (height - area.height * scale) / 2 - area.top * scale,
      width: image.width * scale,
      height: image.height * scale,
      scale,
    },
  };
}

/**
 * Position and size at which a background image covers the whole canvas.
 * @param cutOut if given, the image is the original of this cut-out and aligned with it as far as possible without a gap;
 * otherwise, the image is centered
 */
export function coverCanvas(image: Size, canvas: Size, cutOut?: Placement): Box {
  const relative = cutOut === undefined ? 0 : cutOut.width / image.width;
  const scale = Math.max(canvas.width / image.width, canvas.height / image.height, relative);
  const [width, height] = [image.width * scale, image.height * scale];
  const along = (whole: number, length: number, start: number | undefined, cutLength = 1) => {
    if (start === undefined) return (whole - length) / 2;
    const middle = (whole / 2 - start) / cutLength;
    return Math.min(0, Math.max(whole - length, whole / 2 - middle * length));
  };
  return {
    left: along(canvas.width, width, cutOut?.left, cutOut?.width),
    top: along(canvas.height, height, cutOut?.top, cutOut?.height),
    width,
    height,
  };
}
