/** The colour of a ground as a function of the place, so that a gradient or vignette is plain too. Values are 0 to 1. */
export type GroundColour = (x: number, y: number) => [number, number, number];

interface Picture {
  width: number;
  height: number;
  /** The three colours of each pixel, 0 to 1. */
  planes: Float32Array[];
}

const TERMS = 6;
/** Pixels further from the first fit than so many medians, such as shadows, are left out of the second. */
const MAX_MEDIANS = 3;

/** Fits a quadratic function to the colours of the chosen pixels (least squares). @returns null if there are too few */
export function fitGround(picture: Picture, chosen: readonly number[]): GroundColour | null {
  const first = solve(picture, chosen);
  if (first === null) return null;
  const distances = chosen.map((i) => distanceFrom(picture, first, i));
  const median = distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] as number;
  const limit = MAX_MEDIANS * Math.max(median, 1 / 255);
  return (
    solve(
      picture,
      chosen.filter((_, k) => (distances[k] as number) <= limit),
    ) ?? first
  );
}

/** The distance of a pixel from the ground's colour, in RGB, where the side of the cube is 1. */
export function distanceFrom({ width, planes }: Picture, ground: GroundColour, i: number): number {
  const colour = ground(i % width, Math.floor(i / width));
  return Math.hypot(...colour.map((value, c) => value - ((planes[c] as Float32Array)[i] as number)));
}

function solve({ width, height, planes }: Picture, chosen: readonly number[]): GroundColour | null {
  if (chosen.length < TERMS) return null;
  const rows = Array.from({ length: TERMS }, () => new Float64Array(TERMS + planes.length));
  for (const i of chosen) {
    const terms = termsAt((i % width) / width, Math.floor(i / width) / height);
    rows.forEach((row, k) => {
      for (let n = 0; n < TERMS; n += 1) row[n]! += terms[k]! * terms[n]!;
      planes.forEach((plane, c) => (row[TERMS + c]! += terms[k]! * plane[i]!));
    });
  }
  // A little is added to the diagonal, so that pixels in one row have a solution too.
  rows.forEach((row, k) => (row[k]! += 1e-6 * chosen.length));
  eliminate(rows);
  const coefficients = planes.map((_, c) => rows.map((row, k) => row[TERMS + c]! / row[k]!));
  return (x, y) => {
    const terms = termsAt(x / width, y / height);
    return coefficients.map((own) => own.reduce((sum, value, k) => sum + value * terms[k]!, 0)) as [
      number,
      number,
      number,
    ];
  };
}

const termsAt = (x: number, y: number) => [1, x, y, x * x, x * y, y * y];

/** Gauss–Jordan elimination; the matrix is symmetric and positive, so its pivots are its diagonal. */
function eliminate(rows: Float64Array[]): void {
  rows.forEach((pivot, k) => {
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = row[k]! / pivot[k]!;
      for (let n = k; n < row.length; n += 1) row[n]! -= factor * pivot[n]!;
    }
  });
}
