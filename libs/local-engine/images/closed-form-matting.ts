/** Variance of brightness from 0 to 1 below which a window of 3 × 3 points counts as flat. */
const EPSILON = 1e-6;
/** The weight of the expected opacity of an unknown point. */
const EXPECTATION = 1e-2;
const MAX_ITERATIONS = 600;
/** The solution is accepted at this share of the first residual. */
const TOLERANCE = 1e-4;

/** The colours of a picture, in three planes from 0 to 1. */
export interface Guide {
  width: number;
  height: number;
  planes: [Float32Array, Float32Array, Float32Array];
}

/**
 * Closed-form matting (Levin 2008): finds the opacities that are closest to a linear function of the colours in each
 * window of 3 × 3 points.
 * @param expected 0 to 1: the known opacities where `isUnknown` is 0, and a first guess elsewhere
 * @returns opacities from 0 to 1
 */
export function solveMatte(guide: Guide, expected: Float32Array, isUnknown: Uint8Array): Float32Array {
  const system = buildSystem(guide, expected, isUnknown);
  const solution = solve(system);
  const alpha = expected.slice();
  system.points.forEach((point, k) => (alpha[point] = Math.min(Math.max(solution[k] as number, 0), 1)));
  return alpha;
}

/** The equations of the unknown points, with 25 coefficients each for the surrounding 5 × 5 points. */
interface System {
  points: Int32Array;
  coefficients: Float32Array;
  right: Float32Array;
  first: Float32Array;
  /** The number of each unknown point in a picture with a margin of two points; 0 for known points. */
  numbers: Int32Array;
  /** The index of each unknown point in `numbers`. */
  places: Int32Array;
  /** Differences from an index to those of the surrounding points. */
  offsets: Int32Array;
}

function buildSystem(
  { width, height, planes }: Guide,
  expected: Float32Array,
  isUnknown: Uint8Array,
): System {
  const stride = width + 4;
  const placeOf = (i: number) => (Math.floor(i / width) + 2) * stride + (i % width) + 2;
  const points = new Int32Array(isUnknown.reduce((sum, one) => sum + one, 0));
  let count = 0;
  for (let i = 0; i < isUnknown.length; i += 1) if (isUnknown[i] === 1) points[count++] = i;
  const numbers = new Int32Array(stride * (height + 4));
  const places = points.map(placeOf);
  // Numbers start at 1.
  places.forEach((place, k) => (numbers[place] = k + 1));
  const offsets = Int32Array.from({ length: 25 }, (_, k) => (Math.floor(k / 5) - 2) * stride + (k % 5) - 2);
  const coefficients = new Float32Array(points.length * 25);
  const first = Float32Array.from(points, (point) => expected[point] as number);
  const right = first.map((value) => value * EXPECTATION);
  for (let k = 0; k < points.length; k += 1) coefficients[k * 25 + 12] = EXPECTATION;

  const window = new Int32Array(9);
  const differences = new Float32Array(27);
  const scaled = new Float32Array(27);
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      let unknown = 0;
      for (let k = 0; k < 9; k += 1) {
        const i = (y + Math.floor(k / 3) - 1) * width + x + (k % 3) - 1;
        window[k] = i;
        unknown += isUnknown[i] as number;
      }
      if (unknown === 0) continue;
      spread(planes, window, differences, scaled);
      for (let k = 0; k < 9; k += 1) {
        const i = window[k] as number;
        if (isUnknown[i] === 0) continue;
        const row = (numbers[placeOf(i)] as number) - 1;
        for (let l = 0; l < 9; l += 1) {
          const j = window[l] as number;
          let dot = 1;
          for (let c = 0; c < 3; c += 1)
            dot += (differences[k * 3 + c] as number) * (scaled[l * 3 + c] as number);
          const value = (k === l ? 1 : 0) - dot / 9;
          if (isUnknown[j] === 0) (right[row] as number) -= value * (expected[j] as number);
          else {
            const down = Math.floor(l / 3) - Math.floor(k / 3) + 2;
            (coefficients[row * 25 + down * 5 + (l % 3) - (k % 3) + 2] as number) += value;
          }
        }
      }
    }
  }
  return { points, coefficients, right, first, numbers, places, offsets };
}

/** The differences of a window's colours from their mean, and the same divided by their covariance. */
function spread(
  planes: Guide['planes'],
  window: Int32Array,
  differences: Float32Array,
  scaled: Float32Array,
): void {
  for (let c = 0; c < 3; c += 1) {
    const plane = planes[c] as Float32Array;
    let mean = 0;
    for (let k = 0; k < 9; k += 1) mean += plane[window[k] as number] as number;
    for (let k = 0; k < 9; k += 1) differences[k * 3 + c] = (plane[window[k] as number] as number) - mean / 9;
  }
  let [rr, rg, rb, gg, gb, bb] = [EPSILON, 0, 0, EPSILON, 0, EPSILON];
  for (let k = 0; k < 27; k += 3) {
    const [r, g, b] = [differences[k] as number, differences[k + 1] as number, differences[k + 2] as number];
    rr += (r * r) / 9;
    rg += (r * g) / 9;
    rb += (r * b) / 9;
    gg += (g * g) / 9;
    gb += (g * b) / 9;
    bb += (b * b) / 9;
  }
  const [irr, irg, irb] = [gg * bb - gb * gb, rb * gb - rg * bb, rg * gb - rb * gg];
  const [igg, igb, ibb] = [rr * bb - rb * rb, rb * rg - rr * gb, rr * gg - rg * rg];
  const determinant = rr * irr + rg * irg + rb * irb;
  for (let k = 0; k < 27; k += 3) {
    const [r, g, b] = [differences[k] as number, differences[k + 1] as number, differences[k + 2] as number];
    scaled[k] = (irr * r + irg * g + irb * b) / determinant;
    scaled[k + 1] = (irg * r + igg * g + igb * b) / determinant;
    scaled[k + 2] = (irb * r + igb * g + ibb * b) / determinant;
  }
}

/** Solves the system by conjugate gradients, preconditioned with the diagonal. */
function solve(system: System): Float32Array {
  const { coefficients, right, first } = system;
  const size = first.length;
  const x = first.slice();
  const product = new Float32Array(size);
  multiply(system, x, product);
  const residual = right.map((value, k) => value - (product[k] as number));
  const precondition = (k: number) => (residual[k] as number) / (coefficients[k * 25 + 12] as number);
  const direction = residual.map((_, k) => precondition(k));
  let energy = 0;
  for (let k = 0; k < size; k += 1) energy += (residual[k] as number) * (direction[k] as number);
  const enough = energy * TOLERANCE ** 2;
  for (let round = 0; round < MAX_ITERATIONS && energy > enough; round += 1) {
    multiply(system, direction, product);
    let curvature = 0;
    for (let k = 0; k < size; k += 1) curvature += (direction[k] as number) * (product[k] as number);
    const step = energy / curvature;
    let next = 0;
    for (let k = 0; k < size; k += 1) {
      (x[k] as number) += step * (direction[k] as number);
      (residual[k] as number) -= step * (product[k] as number);
      next += (residual[k] as number) * precondition(k);
    }
    for (let k = 0; k < size; k += 1)
      direction[k] = precondition(k) + (next / energy) * (direction[k] as number);
    energy = next;
  }
  return x;
}

function multiply(
  { coefficients, numbers, places, offsets }: System,
  x: Float32Array,
  to: Float32Array,
): void {
  for (let k = 0; k < to.length; k += 1) {
    const place = places[k] as number;
    let sum = 0;
    for (let n = 0; n < 25; n += 1) {
      const number = numbers[place + (offsets[n] as number)] as number;
      if (number > 0) sum += (coefficients[k * 25 + n] as number) * (x[number - 1] as number);
    }
    to[k] = sum;
  }
}
