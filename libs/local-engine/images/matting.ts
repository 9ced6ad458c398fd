import { solveMatte, type Guide } from './closed-form-matting.js';
import type { Area } from './area.js';
import { computeFloats, cv } from './open-cv.js';
import { MODEL_SIDE, type Likelihood } from './subject-mask.js';
import { toSharp, type RgbaImage } from './raster.js';

/** The longest side at which the matte is solved. */
const WORK_SIDE = 800;
/** Between these likelihoods, a point may be subject or background. */
const SURE = 0.95;
const SURE_NOT = 0.05;
/** The largest distance of the true outline from the model's outline, in points of the model's square. */
const REACH = 2;
/** Opacities that are treated as none and as full, because the matte leaves a faint veil. */
const NONE = 0.12;
const FULL = 0.88;

/** Several planes of the same size. */
interface Planes {
  width: number;
  height: number;
  planes: Float32Array[];
}

export interface Matte {
  area: Area;
  /** Opacity of each pixel of the area, 0 to 255. */
  alpha: Uint8Array;
}

/**
 * Converts the model's coarse likelihood to a matte in the picture's own resolution, and removes the old background's
 * colour from the rim of `photo`, in place. The matte is solved on a small copy (closed-form-matting.ts). A pixel of the
 * picture then gets its opacity from its own colour, by a local linear function (He 2013).
 */
export async function matteSubject(photo: RgbaImage, subject: Likelihood): Promise<Matte> {
  const { area } = subject;
  const scale = Math.min(1, WORK_SIDE / Math.max(area.width, area.height));
  const width = Math.max(8, Math.round(area.width * scale));
  const height = Math.max(8, Math.round(area.height * scale));
  const small = await toSharp(photo).extract(area).resize(width, height, { fit: 'fill' }).raw().toBuffer();
  const size = width * height;
  const plane = (c: number) =>
    Float32Array.from({ length: size }, (_, i) => (small[i * 4 + c] as number) / 255);
  const guide: Guide = { width, height, planes: [plane(0), plane(1), plane(2)] };
  const likely = scaleUp(subject.values, width, height);
  const reach = Math.max(2, Math.round((Math.max(width, height) / MODEL_SIDE) * REACH));
  const near = boxMean(
    likely.map((value) => (value >= 0.5 ? 1 : 0)),
    width,
    height,
    reach,
  );
  const isUnknown = Uint8Array.from(likely, (value, i) => {
    const isNear = (near[i] as number) > 0.001 && (near[i] as number) < 0.999;
    return isNear || (value > SURE_NOT && value < SURE) ? 1 : 0;
  });
  const expected = likely.map((value, i) => (isUnknown[i] === 1 ? value : value >= 0.5 ? 1 : 0));
  const alpha = withoutVeils(guide, solveMatte(guide, expected, isUnknown), 2 * reach);
  const [front, back] = [
    localMean(guide, (i) => ((alpha[i] as number) > FULL ? 1 : 0), reach),
    localMean(guide, (i) => ((alpha[i] as number) < NONE ? 1 : 0), reach),
  ];
  // Pixels without partial opacity nearby need no linear function.
  const partial = boxMean(
    alpha.map((value) => (value > NONE && value < FULL ? 1 : 0)),
    width,
    height,
    2,
  );
  return fullSize(photo, area, {
    width,
    height,
    planes: [alpha, partial, ...linearFunction(guide, alpha), ...front, ...back],
  });
}

/** Makes wide areas of partial opacity opaque or transparent: only a rim or hair is partial, and narrow. */
function withoutVeils({ width, height }: Guide, alpha: Float32Array, radius: number): Float32Array {
  const veil = boxMean(
    alpha.map((value) => (value > NONE && value < FULL ? 1 : 0)),
    width,
    height,
    radius,
  );
  return alpha.map((value, i) => {
    const share = Math.min(Math.max(((veil[i] as number) - 0.4) / 0.3, 0), 1);
    const decided = Math.min(Math.max((value - 0.4) / 0.2, 0), 1);
    return value + (decided - value) * share;
  });
}

function fullSize({ pixels, width }: RgbaImage, area: Area, fields: Planes): Matte {
  const alpha = new Uint8Array(area.width * area.height);
  const row = new Float32Array(fields.planes.length * fields.width);
  const at = new Float32Array(fields.planes.length);
  for (let y = 0; y < area.height; y += 1) {
    blendRows(fields, ((y + 0.5) * fields.height) / area.height - 0.5, row);
    for (let x = 0; x < area.width; x += 1) {
      sampleRow(row, fields, ((x + 0.5) * fields.width) / area.width - 0.5, at);
      const [solved, partial] = at as unknown as [number, number];
      const to = y * area.width + x;
      if (partial <= 0.001) {
        alpha[to] = solved >= 0.5 ? 255 : 0;
        continue;
      }
      const p = ((area.top + y) * width + area.left + x) * 4;
      let opacity = at[5] as number;
      for (let c = 0; c < 3; c += 1) opacity += ((pixels[p + c] as number) / 255) * (at[2 + c] as number);
      alpha[to] = Math.round(255 * Math.min(Math.max((opacity - NONE) / (FULL - NONE), 0), 1));
      decontaminate(pixels, p, Math.min(alpha[to] / 255, opacity), at);
    }
  }
  return { area, alpha };
}

/** Removes the background's share from a colour: C = a F + (1 - a) B. */
function decontaminate(pixels: Buffer, p: number, alpha: number, at: Float32Array): void {
  if (alpha <= 0.02 || alpha >= 0.98) return;
  for (let c = 0; c < 3; c += 1) {
    const back = (at[9 + c] as number) * 255;
    const front = (at[6 + c] as number) * 255;
    const solved = ((pixels[p + c] as number) - (1 - alpha) * back) / alpha;
    // The colour of a pixel with little of the subject is less reliable.
    pixels[p + c] = Math.min(Math.max(Math.round(front + (solved - front) * alpha), 0), 255);
  }
}

/** The mean colour of the chosen points around each point, in a larger window if there are none near. */
function localMean(
  { width, height, planes }: Guide,
  choose: (i: number) => number,
  reach: number,
): Float32Array[] {
  const size = width * height;
  const chosen = Float32Array.from({ length: size }, (_, i) => choose(i));
  const mean = planes.map(() => new Float32Array(size));
  const filled = new Uint8Array(size);
  for (let radius = reach; ; radius *= 3) {
    const weight = boxMean(chosen, width, height, radius);
    const sums = planes.map((plane) => boxMean(multiply(plane, chosen), width, height, radius));
    let missing = 0;
    for (let i = 0; i < size; i += 1) {
      if (filled[i] === 1) continue;
      const w = weight[i] as number;
      if (w < 1e-4) {
        missing += 1;
        continue;
      }
      filled[i] = 1;
      for (let c = 0; c < 3; c += 1)
        (mean[c] as Float32Array)[i] = ((sums[c] as Float32Array)[i] as number) / w;
    }
    if (missing === 0 || radius > Math.max(width, height)) return mean;
  }
}

const multiply = (a: Float32Array, b: Float32Array) => a.map((value, i) => value * (b[i] as number));

/** The function's window, and the variance below which the function is close to the window's mean. */
const RADIUS = 2;
const EPSILON = 1e-4;

/** The opacity around each point as a linear function of the three colours: three slopes and an offset. */
function linearFunction({ width, height, planes: guide }: Guide, input: Float32Array): Float32Array[] {
  const blur = (values: Float32Array) => boxMean(values, width, height, RADIUS);
  const size = width * height;
  const [r, g, b] = guide;
  const means = guide.map(blur);
  const meanInput = blur(input);
  const covariances = guide.map((plane, c) => {
    const both = blur(multiply(plane, input));
    const mean = means[c] as Float32Array;
    return both.map((value, i) => value - (mean[i] as number) * (meanInput[i] as number));
  });
  const pairs = (
    [
      [r, r],
      [r, g],
      [r, b],
      [g, g],
      [g, b],
      [b, b],
    ] as const
  ).map(([one, other]) => blur(multiply(one, other)));
  const slopes = [0, 1, 2].map(() => new Float32Array(size));
  const offset = new Float32Array(size);
  for (let i = 0; i < size; i += 1) {
    const m = [0, 1, 2].map((c) => (means[c] as Float32Array)[i] as number) as [number, number, number];
    const s = (k: number, x: 0 | 1 | 2, y: 0 | 1 | 2) =>
      ((pairs[k] as Float32Array)[i] as number) - m[x] * m[y];
    const [rr, rg, rb] = [s(0, 0, 0) + EPSILON, s(1, 0, 1), s(2, 0, 2)];
    const [gg, gb, bb] = [s(3, 1, 1) + EPSILON, s(4, 1, 2), s(5, 2, 2) + EPSILON];
    const [cr, cg, cb] = covariances.map((plane) => plane[i] as number) as [number, number, number];
    const [irr, irg, irb] = [gg * bb - gb * gb, rb * gb - rg * bb, rg * gb - rb * gg];
    const [igg, igb, ibb] = [rr * bb - rb * rb, rb * rg - rr * gb, rr * gg - rg * rg];
    const determinant = rr * irr + rg * irg + rb * irb;
    const a = [
      (irr * cr + irg * cg + irb * cb) / determinant,
      (irg * cr + igg * cg + igb * cb) / determinant,
      (irb * cr + igb * cg + ibb * cb) / determinant,
    ] as [number, number, number];
    for (let c = 0; c < 3; c += 1) (slopes[c] as Float32Array)[i] = a[c] as number;
    offset[i] = (meanInput[i] as number) - a[0] * m[0] - a[1] * m[1] - a[2] * m[2];
  }
  return [...slopes.map(blur), blur(offset)];
}

/** Mean over a square window, clipped at the borders. */
export function boxMean(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  const pass = (from: Float32Array, length: number, lines: number, step: number, stride: number) => {
    const to = new Float32Array(from.length);
    for (let line = 0; line < lines; line += 1) {
      const start = line * stride;
      let [sum, n] = [0, 0];
      for (let k = 0; k < Math.min(radius, length); k += 1, n += 1) sum += from[start + k * step] as number;
      for (let k = 0; k < length; k += 1) {
        if (k + radius < length) {
          sum += from[start + (k + radius) * step] as number;
          n += 1;
        }
        if (k - radius > 0) {
          sum -= from[start + (k - radius - 1) * step] as number;
          n -= 1;
        }
        to[start + k * step] = sum / n;
      }
    }
    return to;
  };
  return pass(pass(values, width, height, 1, width), height, width, width, 1);
}

/** Scales the model's square to another size, bilinearly. */
const scaleUp = (values: Float32Array, width: number, height: number): Float32Array =>
  computeFloats({ values, width: MODEL_SIDE, height: MODEL_SIDE }, (from, to) =>
    cv.resize(from, to, new cv.Size(width, height), 0, 0, cv.INTER_LINEAR),
  );

/** Interpolates all planes at a row, and writes one plane after the other. */
function blendRows({ width, height, planes }: Planes, y: number, to: Float32Array): void {
  const clipped = Math.min(Math.max(y, 0), height - 1);
  const upper = Math.floor(clipped);
  const lower = Math.min(upper + 1, height - 1);
  const share = clipped - upper;
  planes.forEach((plane, k) => {
    for (let x = 0; x < width; x += 1) {
      const above = plane[upper * width + x] as number;
      to[k * width + x] = above + ((plane[lower * width + x] as number) - above) * share;
    }
  });
}

function sampleRow(row: Float32Array, { width, planes }: Planes, x: number, to: Float32Array): void {
  const clipped = Math.min(Math.max(x, 0), width - 1);
  const left = Math.floor(clipped);
  const right = Math.min(left + 1, width - 1);
  const share = clipped - left;
  for (let k = 0; k < planes.length; k += 1) {
    const a = row[k * width + left] as number;
    to[k] = a + ((row[k * width + right] as number) - a) * share;
  }
}
