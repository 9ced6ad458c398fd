import type { ImageBox } from '#libs/contract/images.js';
import { cv, toMat, withFreedMemory } from './open-cv.js';
import type { RgbaImage } from './raster.js';
import { valueAt, type Likelihood } from './subject-mask.js';

/** The picture is looked at in so many columns and rows. */
const GRID = 160;
/** Likelihoods between which a point of the result is undecided. */
const [UNDECIDED, DECIDED] = [0.25, 0.75];
/** The least difference of the model's results for one point, from the whole picture to its close-ups. */
const MIN_DIFFERENCE = 0.5;
/** The smallest parts that are doubted, as shares of the subject. Tuned with half of the photographs of `npm run quality`. */
const leastShare = { lost: 0.007, undecided: 0.009, differing: 0.025 };
/** The margin around a doubted part, as a share of the picture. */
const MARGIN = 0.02;

export interface Findings {
  /** The model's results: for the whole picture, and for close-ups of the subject. */
  runs: readonly Likelihood[];
  /** The likelihood from which the matte was made. */
  subject: Likelihood;
}

/**
 * Finds the largest part of which it is doubtful whether it belongs to the subject: the model saw it and it is not in the
 * cut-out, or it is undecided, or the model's results differ.
 * @param photo the cut-out
 * @returns its box in shares of the picture; null if nothing is doubtful
 */
export function findDoubt(photo: RgbaImage, { runs, subject }: Findings): ImageBox | null {
  const points = Array.from({ length: GRID * GRID }, (_, i) => pointOf(photo, i));
  const opaque = points.filter(({ alpha }) => alpha > 0.5).length;
  const seen = points.map(({ x, y }) =>
    runs.filter(({ area }) => covers(area, x, y)).map((run) => valueAt(run, x, y)),
  );
  const decided = points.map(({ x, y }) => (covers(subject.area, x, y) ? valueAt(subject, x, y) : 0));
  const parts = [
    largestPart(
      seen.map((values, i) => Math.max(...values) > 0.5 && points[i]!.alpha < 0.3),
      opaque * leastShare.lost,
    ),
    largestPart(
      decided.map((value) => value > UNDECIDED && value < DECIDED),
      opaque * leastShare.undecided,
    ),
    largestPart(
      seen.map((values) => Math.max(...values) - Math.min(...values) > MIN_DIFFERENCE),
      opaque * leastShare.differing,
    ),
  ].filter((part) => part !== null);
  const [largest] = parts.sort((a, b) => b.points - a.points);
  return largest?.box ?? null;
}

function pointOf({ width, height, pixels }: RgbaImage, i: number) {
  const x = Math.floor((((i % GRID) + 0.5) / GRID) * width);
  const y = Math.floor(((Math.floor(i / GRID) + 0.5) / GRID) * height);
  return { x, y, alpha: (pixels[(y * width + x) * 4 + 3] as number) / 255 };
}

const covers = ({ left, top, width, height }: Likelihood['area'], x: number, y: number) =>
  x >= left && y >= top && x < left + width && y < top + height;

/** The largest connected part without thin lines, such as rims; null if it has fewer points than `least`. */
function largestPart(marked: boolean[], least: number): { points: number; box: ImageBox } | null {
  return withFreedMemory((track) => {
    const mask = track(toMat({ values: marked.map(Number), width: GRID, height: GRID }));
    const cross = track(cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(3, 3)));
    cv.morphologyEx(mask, mask, cv.MORPH_OPEN, cross);
    const labels = track(new cv.Mat());
    const count = cv.connectedComponents(mask, labels, 4);
    const parts = Array.from({ length: count }, () => ({
      points: 0,
      left: GRID,
      top: GRID,
      right: 0,
      bottom: 0,
    }));
    labels.data32S.forEach((label, i) => {
      const part = parts[label]!;
      const [x, y] = [i % GRID, Math.floor(i / GRID)];
      part.points += 1;
      [part.left, part.right] = [Math.min(part.left, x), Math.max(part.right, x + 1)];
      [part.top, part.bottom] = [Math.min(part.top, y), Math.max(part.bottom, y + 1)];
    });
    // The first component is the rest.
    const [largest] = parts.slice(1).sort((a, b) => b.points - a.points);
    if (largest === undefined || largest.points < Math.max(least, 4)) return null;
    const share = (value: number, margin: number) => Math.min(1, Math.max(0, value / GRID + margin));
    const { points, left, top, right, bottom } = largest;
    return {
      points,
      box: {
        left: share(left, -MARGIN),
        top: share(top, -MARGIN),
        right: share(right, MARGIN),
        bottom: share(bottom, MARGIN),
      },
    };
  });
}
