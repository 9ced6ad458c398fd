import type { RgbaImage } from './raster.js';

/** The colour distance of each pixel from the background; 0 is the background. */
export interface BackgroundDistance {
  values: Float32Array;
  /** A pixel with a larger distance more likely belongs to the subject. */
  threshold: number;
}

/** CIE L*a*b*. */
type Colour = [number, number, number];

interface Cluster {
  mean: Colour;
  /** 1 / standard deviation on each axis. */
  scale: Colour;
}

const CLUSTERS = 5;
const MAX_ITERATIONS = 8;
/** The smallest standard deviation, for noise and compression. */
const MIN_SPREAD = 3.5;

/**
 * Compares each pixel with the colours along the image's border. The middle of the lower edge is left out, because the
 * subject of a portrait touches it.
 */
export function backgroundDistance(photo: RgbaImage): BackgroundDistance {
  const { width, height } = photo;
  const lab = toLab(photo);
  const clusters = cluster(borderIndices(width, height).map((i) => colourAt(lab, i)));
  const values = new Float32Array(width * height);
  const expected = backgroundGradient(lab, width, height);
  for (let i = 0; i < values.length; i += 1) {
    const colour = colourAt(lab, i);
    let nearest = distance(colour, expected(i % width, Math.floor(i / width)), 1 / 6);
    for (const { mean, scale } of clusters) {
      const d = Math.hypot(
        (colour[0] - mean[0]) * scale[0],
        (colour[1] - mean[1]) * scale[1],
        (colour[2] - mean[2]) * scale[2],
      );
      if (d < nearest) nearest = d;
    }
    values[i] = Math.min(nearest, MAX_DISTANCE);
  }
  return { values, threshold: Math.min(Math.max(otsu(values), 1.6), 4.5) };
}

/** Distances are clipped to this. */
const MAX_DISTANCE = 12;

/** Indices of a band along the border, without the middle of the lower edge. */
function borderIndices(width: number, height: number): number[] {
  const band = Math.max(1, Math.round(Math.min(width, height) * 0.02));
  const step = Math.max(1, Math.floor((width + height) / 500));
  const pixels: number[] = [];
  const add = (x: number, y: number) => pixels.push(y * width + x);
  for (let depth = 0; depth < band; depth += 1) {
    for (let x = 0; x < width; x += step) {
      add(x, depth);
      if (x < width * 0.2 || x >= width * 0.8) add(x, height - 1 - depth);
    }
    for (let y = 0; y < height; y += step) {
      add(depth, y);
      add(width - 1 - depth, y);
    }
  }
  return pixels;
}

/**
 * Interpolates the background's colour at each pixel from the left and right edge of its row and the upper edge of its
 * column, weighted by 1 / distance. It follows light that falls off to one side.
 */
function backgroundGradient(lab: Float32Array, width: number, height: number) {
  const band = Math.max(1, Math.round(Math.min(width, height) * 0.02));
  const reach = Math.max(2, Math.round(Math.min(width, height) * 0.04));
  const average = (pick: (k: number, d: number) => number, length: number) => {
    const sums = Array.from({ length }, (): Colour => [0, 0, 0]);
    for (let k = 0; k < length; k += 1) {
      let n = 0;
      for (let j = Math.max(0, k - reach); j <= Math.min(length - 1, k + reach); j += 2) {
        for (let d = 0; d < band; d += 1, n += 1) {
          const c = colourAt(lab, pick(j, d));
          for (let a = 0; a < 3; a += 1) (sums[k] as Colour)[a as 0] += c[a as 0];
        }
      }
      for (let a = 0; a < 3; a += 1) (sums[k] as Colour)[a as 0] /= n;
    }
    return sums;
  };
  const left = average((y, d) => y * width + d, height);
  const right = average((y, d) => y * width + width - 1 - d, height);
  const top = average((x, d) => d * width + x, width);
  const mixed: Colour = [0, 0, 0];
  return (x: number, y: number): Colour => {
    const [l, r, t] = [left[y], right[y], top[x]] as [Colour, Colour, Colour];
    const [wl, wr, wt] = [1 / (x + 1), 1 / (width - x), 1 / (y + 1)];
    const sum = wl + wr + wt;
    for (let a = 0 as 0 | 1 | 2; a < 3; a += 1) mixed[a] = (l[a] * wl + r[a] * wr + t[a] * wt) / sum;
    return mixed;
  };
}

/** K-means with evenly spread initial means, so that it is deterministic. */
function cluster(colours: Colour[]): Cluster[] {
  const ordered = [...colours].sort((a, b) => a[0] - b[0]);
  let means = Array.from(
    { length: CLUSTERS },
    (_, k) => [...(ordered[Math.floor(((k + 0.5) / CLUSTERS) * ordered.length)] ?? [50, 0, 0])] as Colour,
  );
  let members: Colour[][] = [];
  for (let round = 0; round < MAX_ITERATIONS; round += 1) {
    members = means.map(() => []);
    for (const colour of colours) members[nearestOf(means, colour)]?.push(colour);
    means = means.map((mean, k) => meanOf(members[k] ?? []) ?? mean);
  }
  // A small cluster is part of the subject that touches the border.
  return means.flatMap((mean, k) => {
    const own = members[k] ?? [];
    return own.length < colours.length * 0.03 ? [] : [{ mean, scale: scaleOf(own, mean) }];
  });
}

const nearestOf = (means: Colour[], colour: Colour) =>
  means.reduce(
    (best, mean, k) => (distance(mean, colour, 1) < distance(means[best] as Colour, colour, 1) ? k : best),
    0,
  );

function meanOf(colours: Colour[]): Colour | null {
  if (colours.length === 0) return null;
  const sum = colours.reduce<Colour>((s, c) => [s[0] + c[0], s[1] + c[1], s[2] + c[2]], [0, 0, 0]);
  return [sum[0] / colours.length, sum[1] / colours.length, sum[2] / colours.length];
}

function scaleOf(colours: Colour[], mean: Colour): Colour {
  const axis = (a: 0 | 1 | 2) =>
    1 /
    Math.hypot(
      MIN_SPREAD,
      Math.sqrt(colours.reduce((s, c) => s + (c[a] - mean[a]) ** 2, 0) / colours.length),
    );
  // A background varies more in lightness than in colour.
  return [axis(0) * 0.8, axis(1), axis(2)];
}

const distance = (a: Colour, b: Colour, scale: number) =>
  Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) * scale;

const colourAt = (lab: Float32Array, i: number): Colour => [
  lab[i * 3] as number,
  lab[i * 3 + 1] as number,
  lab[i * 3 + 2] as number,
];

/** Converts sRGB to CIE L*a*b* (D65), three values per pixel. */
function toLab({ pixels, width, height }: RgbaImage): Float32Array {
  const lab = new Float32Array(width * height * 3);
  for (let i = 0; i < width * height; i += 1) {
    const r = linear[pixels[i * 4] as number] as number;
    const g = linear[pixels[i * 4 + 1] as number] as number;
    const b = linear[pixels[i * 4 + 2] as number] as number;
    const x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    const y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
    const z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    lab[i * 3] = 116 * y - 16;
    lab[i * 3 + 1] = 500 * (x - y);
    lab[i * 3 + 2] = 200 * (y - z);
  }
  return lab;
}

const linear = Float32Array.from({ length: 256 }, (_, v) =>
  v <= 10 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
);
const root = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);

/** Otsu's threshold (1979). */
function otsu(values: Float32Array): number {
  const bins = new Float64Array(128);
  for (const value of values) (bins[Math.min(127, Math.floor((value / MAX_DISTANCE) * 128))] as number)++;
  const total = values.length;
  const sum = bins.reduce((s, n, k) => s + n * k, 0);
  let [below, sumBelow, best, at] = [0, 0, -1, 0];
  bins.forEach((n, k) => {
    below += n;
    sumBelow += n * k;
    if (below === 0 || below === total) return;
    const between = below * (total - below) * (sumBelow / below - (sum - sumBelow) / (total - below)) ** 2;
    if (between > best) [best, at] = [between, k];
  });
  return ((at + 1) / 128) * MAX_DISTANCE;
}
