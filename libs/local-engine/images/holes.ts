import type { Area } from './area.js';
import { cv, toMat, withFreedMemory } from './open-cv.js';
import { distanceFrom, fitGround, type GroundColour } from './smooth-ground.js';
import { resizeGray, toSharp, type RgbaImage } from './raster.js';

/** Holes are searched on a copy of at most this side. */
const WORK_SIDE = 640;
/** Evens out the noise of a camera, in pixels of that copy. */
const NOISE_BLUR = 1;
/** Colours are compared by their distance in RGB, where the side of the cube is 1. */
const [LEAST_TOLERANCE, MOST_TOLERANCE] = [0.02, 0.06];
/** The share of the ground's pixels that the tolerance covers. */
const COVERED = 0.9;
/**
 * The smallest share of the area, and the smallest mean distance of the edge from the ground's colour, in tolerances. White
 * parts of a subject are often overexposed, so on a white ground a hole has to be larger and clearer.
 */
const coloured = { minShare: 0.0004, minContrast: 3.5 };
const white = { minShare: 0.003, minContrast: 8 };
/** All channels of a white ground are brighter. */
const MIN_WHITE = 0.95;
/** A part that is open to the ground on a larger share of its edge is no hole. */
const MAX_OPEN_SHARE = 0.15;
/** The longest edge, squared, of a hole in relation to its pixels; a rugged edge is that of fur or of a reflection. */
const MAX_RUGGEDNESS = 120;

/**
 * Makes the holes of a subject transparent, such as that of a ring: parts inside of it that have the colour of a plain
 * ground, in place.
 * @param alpha opacity of each pixel of the area, 0 to 255
 */
export async function cutHoles(photo: RgbaImage, area: Area, alpha: Uint8Array): Promise<void> {
  const scale = Math.min(1, WORK_SIDE / Math.max(area.width, area.height));
  const width = Math.max(8, Math.round(area.width * scale));
  const height = Math.max(8, Math.round(area.height * scale));
  const small = await toSharp(photo)
    .extract(area)
    .resize(width, height, { fit: 'fill' })
    .blur(NOISE_BLUR)
    .raw()
    .toBuffer();
  const opacity = await resizeGray(
    { values: alpha, width: area.width, height: area.height },
    width,
    height,
    'linear',
  );
  const size = width * height;
  const plane = (c: number) =>
    Float32Array.from({ length: size }, (_, i) => (small[i * 4 + c] as number) / 255);
  const picture = { width, height, planes: [plane(0), plane(1), plane(2)] };
  const outside = indexesWhere(opacity.values, (value) => value < 12);
  const sample = outside.filter((_, k) => k % Math.ceil(outside.length / MAX_SAMPLE) === 0);
  const ground = fitGround(picture, sample);
  if (ground === null) return;
  const tolerance = toleranceOf(sample.map((i) => distanceFrom(picture, ground, i)));
  if (tolerance === null) return;
  const distance = Float32Array.from({ length: size }, (_, i) => distanceFrom(picture, ground, i));
  const isWhite = ground(width / 2, height / 2).every((value) => value > MIN_WHITE);
  const holes = findHoles(distance, opacity.values, tolerance, {
    width,
    height,
    ...(isWhite ? white : coloured),
  });
  if (holes) applyHoles(photo, area, alpha, { holes, ground, tolerance, width, height });
}

/** Pixels from which the ground's colour is computed. */
const MAX_SAMPLE = 20_000;

function indexesWhere(values: Uint8Array, is: (value: number) => boolean): number[] {
  const found: number[] = [];
  values.forEach((value, i) => is(value) && found.push(i));
  return found;
}

/** The largest distance of a plain ground's pixels from its colour; null if it is not plain. */
function toleranceOf(distances: number[]): number | null {
  const covered = distances.sort((a, b) => a - b)[Math.floor(distances.length * COVERED)] as number;
  return covered > MOST_TOLERANCE ? null : Math.max(LEAST_TOLERANCE, 1.5 * covered);
}

/** @returns 255 for the pixels of holes; null if there are none */
function findHoles(
  distance: Float32Array,
  opacity: Uint8Array,
  tolerance: number,
  { width, height, minShare, minContrast }: { width: number; height: number } & typeof coloured,
): Uint8Array | null {
  return withFreedMemory((track) => {
    const like = Uint8Array.from(distance, (value, i) =>
      value <= tolerance && (opacity[i] as number) >= 128 ? 255 : 0,
    );
    const mask = track(toMat({ values: like, width, height }));
    const disc = track(cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(3, 3)));
    cv.morphologyEx(mask, mask, cv.MORPH_OPEN, disc);
    const labels = track(new cv.Mat());
    const count = cv.connectedComponents(mask, labels, 4);
    const parts = Array.from({ length: count }, () => ({ pixels: 0, edge: 0, open: 0, contrast: 0 }));
    const labelOf = labels.data32S;
    for (let i = 0; i < labelOf.length; i += 1) {
      const label = labelOf[i] as number;
      if (label === 0) continue;
      const part = parts[label] as (typeof parts)[number];
      part.pixels += 1;
      const [x, y] = [i % width, Math.floor(i / width)];
      for (const [dx, dy] of SIDES) {
        const at = (y + dy) * width + x + dx;
        const isInside = x + dx >= 0 && y + dy >= 0 && x + dx < width && y + dy < height;
        if (isInside && labelOf[at] === label) continue;
        const [farX, farY] = [clip(x + EDGE * dx, width), clip(y + EDGE * dy, height)];
        const far = farY * width + farX;
        part.edge += 1;
        if (!isInside || (opacity[far] as number) < 128) part.open += 1;
        part.contrast += distance[far] as number;
      }
    }
    const least = width * height * minShare;
    const isHole = parts.map(
      ({ pixels, edge, open, contrast }, label) =>
        label > 0 &&
        pixels >= least &&
        open <= edge * MAX_OPEN_SHARE &&
        edge ** 2 <= pixels * MAX_RUGGEDNESS &&
        contrast >= edge * tolerance * minContrast,
    );
    if (!isHole.includes(true)) return null;
    const holes = track(
      toMat({ values: Uint8Array.from(labelOf, (label) => (isHole[label] ? 255 : 0)), width, height }),
    );
    const wide = track(cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(7, 7)));
    cv.dilate(holes, holes, wide);
    return Uint8Array.from(holes.data);
  });
}

const SIDES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;
/** Pixels from a hole's edge at which the subject is looked at. */
const EDGE = 4;

const clip = (value: number, length: number) => Math.min(length - 1, Math.max(0, value));

interface Holes {
  holes: Uint8Array;
  ground: GroundColour;
  tolerance: number;
  width: number;
  height: number;
}

/** Lowers the opacity by the distance from the ground's colour, and removes that colour from the edge. */
function applyHoles(photo: RgbaImage, area: Area, alpha: Uint8Array, found: Holes): void {
  const { holes, ground, tolerance, width, height } = found;
  for (let y = 0, i = 0; y < area.height; y += 1) {
    const row = Math.floor(((y + 0.5) * height) / area.height) * width;
    for (let x = 0; x < area.width; x += 1, i += 1) {
      const at = row + Math.floor(((x + 0.5) * width) / area.width);
      if (holes[at] === 0) continue;
      const p = ((area.top + y) * photo.width + area.left + x) * 4;
      const back = ground(at % width, Math.floor(at / width)).map((value) => value * 255);
      const apart = Math.hypot(...back.map((value, c) => (photo.pixels[p + c] as number) - value)) / 255;
      const opacity = Math.min(1, Math.max(0, (apart - tolerance) / (3 * tolerance)));
      if (opacity * 255 >= (alpha[i] as number)) continue;
      alpha[i] = Math.round(opacity * 255);
      if (opacity < 0.05) continue;
      for (let c = 0; c < 3; c += 1) {
        const front = ((photo.pixels[p + c] as number) - (1 - opacity) * (back[c] as number)) / opacity;
        photo.pixels[p + c] = Math.min(255, Math.max(0, Math.round(front)));
      }
    }
  }
}
