import { AppError } from '#libs/contract/errors.js';
import { wholeOf } from './area.js';
import { cutHoles } from './holes.js';
import { cv, toMat, withFreedMemory } from './open-cv.js';
import type { RgbaImage } from './raster.js';

/** Rows that are sampled. */
const ROWS = 400;
/**
 * Differences between a pixel and its neighbours, in the channel that differs most: at most FLAT in a flat area, at most GRAIN
 * in a photograph's grain, more than EDGE at a drawn edge.
 */
const FLAT = 1;
const GRAIN = 16;
const EDGE = 40;
/** Colours are counted in levels of 4 for the whole picture, and in levels of 16 without the ground. */
const [FINE, COARSE] = [2, 4];
/** A smaller picture has too few pixels to be judged. */
const MIN_SIDE = 64;
/** A picture whose 16 most frequent colours cover less is no drawing. */
const MIN_COVERED = 0.75;
/**
 * The least sum of 1.5 times the share of the 12 most frequent colours without the ground, and of the share of drawn edges
 * among all differences. Screens, diagrams and pages have 1.37 and above, photographs cut out on white 1.29 and below.
 */
const MIN_DRAWN = 1.33;
/** With a larger share of drawn edges among the pixels without the ground, a picture is text. */
const MIN_TEXT = 0.35;
/** With longer drawn edges, in sides of the picture, it has no single subject: a disc has 6, a window of text 35 and above. */
const MIN_CROWDED = 20;
/** The share of the border that has the colour of a plain ground, and its largest distance from it. */
const MIN_PLAIN = 0.97;
const TOLERANCE = 24;
/** The largest side of a letter, as a share of the picture's longer side. */
const MAX_LETTER = 0.1;
/** The width of an edge, in pixels, within which a drawing's opacity is computed from its colours. */
const RIM = 2;

type Colour = [red: number, green: number, blue: number];

/**
 * What a picture is: a photograph (or a painting, which counts as one), a drawing on a ground of one colour, text on such a
 * ground, or a screen, which has no ground and many small things.
 */
type PictureKind = 'photograph' | 'screen' | { kind: 'drawing' | 'text'; ground: Colour };

function classifyPicture(photo: RgbaImage): PictureKind {
  if (Math.min(photo.width, photo.height) < MIN_SIDE) return 'photograph';
  const { covered, common, drawn, edges, crowded } = featuresOf(photo);
  if (covered < MIN_COVERED || 1.5 * common + drawn < MIN_DRAWN) return 'photograph';
  const ground = plainGround(photo);
  if (ground) return { kind: edges > MIN_TEXT ? 'text' : 'drawing', ground };
  return crowded * Math.sqrt(photo.width * photo.height) > MIN_CROWDED ? 'screen' : 'photograph';
}

/** Counts colours and differences between neighbouring pixels in some rows of a picture. */
function featuresOf(photo: RgbaImage) {
  const { pixels, width, height } = photo;
  const colours = new Map<number, number>();
  const rowCount = Math.min(height - 1, ROWS);
  const rows = Array.from({ length: rowCount }, (_, row) =>
    Math.floor(((row + 0.5) / rowCount) * (height - 1)),
  );
  for (const y of rows) for (let x = 0; x < width; x += 3) count(colours, keyOf(photo, y * width + x, FINE));
  const ground = [...colours].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
  const others = new Map<number, number>();
  let [all, rest, grain, edges] = [0, 0, 0, 0];
  for (const y of rows) {
    for (let x = 0; x < width - 1; x += 1) {
      const i = y * width + x;
      const difference = Math.max(apart(pixels, i, i + 1), apart(pixels, i, i + width));
      all += 1;
      if (difference <= FLAT && keyOf(photo, i, FINE) === ground) continue;
      rest += 1;
      count(others, keyOf(photo, i, COARSE));
      if (difference > EDGE) edges += 1;
      else if (difference > FLAT && difference <= GRAIN) grain += 1;
    }
  }
  return {
    covered: shareOf(colours, 16),
    common: shareOf(others, 12),
    drawn: edges / Math.max(1, edges + grain),
    edges: edges / Math.max(1, rest),
    crowded: edges / Math.max(1, all),
  };
}

const count = (counts: Map<number, number>, key: number) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** The share of the most frequent keys. */
function shareOf(counts: Map<number, number>, most: number): number {
  const sorted = [...counts.values()].sort((a, b) => b - a);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return sum(sorted.slice(0, most)) / Math.max(1, sum(sorted));
}

/** A pixel's colour without its lowest bits. */
function keyOf({ pixels }: RgbaImage, i: number, bits: number): number {
  const level = (c: number) => (pixels[i * 4 + c] as number) >> bits;
  return (level(0) << 16) | (level(1) << 8) | level(2);
}

const apart = (pixels: Buffer, i: number, j: number): number =>
  Math.max(...[0, 1, 2].map((c) => Math.abs((pixels[i * 4 + c] as number) - (pixels[j * 4 + c] as number))));

const distanceTo = (pixels: Buffer, i: number, colour: Colour): number =>
  Math.max(
    Math.abs((pixels[i * 4] as number) - colour[0]),
    Math.abs((pixels[i * 4 + 1] as number) - colour[1]),
    Math.abs((pixels[i * 4 + 2] as number) - colour[2]),
  );

/** The median colour of the border, if nearly all of the border has it. */
function plainGround({ pixels, width, height }: RgbaImage): Colour | null {
  const border: number[] = [];
  for (let x = 0; x < width; x += 1) border.push(x, (height - 1) * width + x);
  for (let y = 1; y < height - 1; y += 1) border.push(y * width, y * width + width - 1);
  const median = (c: number) =>
    border.map((i) => pixels[i * 4 + c] as number).sort((a, b) => a - b)[border.length >> 1] as number;
  const ground: Colour = [median(0), median(1), median(2)];
  const plain = border.filter((i) => distanceTo(pixels, i, ground) <= TOLERANCE).length;
  return plain >= border.length * MIN_PLAIN ? ground : null;
}

/**
 * The opacity of a drawing or text, as `matteDrawing` computes it; null for a photograph.
 * @throws AppError ENGINE_CANNOT for a screen
 */
export async function matteIfDrawing(photo: RgbaImage): Promise<Uint8Array | null> {
  const kind = classifyPicture(photo);
  if (kind === 'screen') throw noSingleSubject();
  return kind === 'photograph' ? null : matteDrawing(photo, kind);
}

const noSingleSubject = () =>
  new AppError(
    'ENGINE_CANNOT',
    'This looks like a screenshot or a page, in which no single thing stands out. Draw a box around what you want to keep, or use a photo.',
  );

/**
 * The opacity of each pixel of a drawing or text, 0 to 255, when its ground is removed and everything on it stays. Removes
 * the ground's colour from the edges of `photo`, in place.
 */
async function matteDrawing(
  photo: RgbaImage,
  { kind, ground }: Exclude<PictureKind, string>,
): Promise<Uint8Array> {
  const { pixels, width, height } = photo;
  const distance = Uint8Array.from({ length: width * height }, (_, i) => distanceTo(pixels, i, ground));
  const isGround =
    kind === 'text'
      ? distance.map((value) => (value <= TOLERANCE ? 1 : 0))
      : withLetters(fromBorder(distance, width, height), distance, width, height);
  const alpha = new Uint8Array(width * height);
  const farthest = maximum(distance, width, height, RIM);
  const nearGround = maximum(isGround, width, height, RIM);
  for (let i = 0; i < alpha.length; i += 1) {
    if (isGround[i] === 1) continue;
    const opacity =
      nearGround[i] === 1 ? Math.min(1, (distance[i] as number) / Math.max(1, farthest[i] as number)) : 1;
    alpha[i] = Math.round(opacity * 255);
    if (opacity >= 1 || opacity < 0.05) continue;
    for (let c = 0; c < 3; c += 1) {
      const front = ((pixels[i * 4 + c] as number) - (1 - opacity) * (ground[c] as number)) / opacity;
      pixels[i * 4 + c] = Math.min(255, Math.max(0, Math.round(front)));
    }
  }
  if (kind === 'drawing') await cutHoles(photo, wholeOf(photo), alpha);
  return alpha;
}

/** 1 for each pixel of the ground that is connected with the border. Fills run by run, so that few seeds wait. */
function fromBorder(distance: Uint8Array, width: number, height: number): Uint8Array {
  const reached = new Uint8Array(width * height);
  const isOpen = (i: number) => reached[i] === 0 && (distance[i] as number) <= TOLERANCE;
  const seeds: number[] = [];
  for (let x = 0; x < width; x += 1) seeds.push(x, (height - 1) * width + x);
  for (let y = 0; y < height; y += 1) seeds.push(y * width, y * width + width - 1);
  for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
    if (!isOpen(seed)) continue;
    const row = seed - (seed % width);
    let first = seed;
    while (first > row && isOpen(first - 1)) first -= 1;
    let [isAboveOpen, isBelowOpen] = [false, false];
    for (let i = first; i < row + width && isOpen(i); i += 1) {
      reached[i] = 1;
      const [above, below] = [i - width, i + width];
      const [wasAboveOpen, wasBelowOpen] = [isAboveOpen, isBelowOpen];
      isAboveOpen = above >= 0 && isOpen(above);
      isBelowOpen = below < reached.length && isOpen(below);
      if (isAboveOpen && !wasAboveOpen) seeds.push(above);
      if (isBelowOpen && !wasBelowOpen) seeds.push(below);
    }
  }
  return reached;
}

/** Adds the ground inside of small things, such as the inner parts of letters. */
function withLetters(isGround: Uint8Array, distance: Uint8Array, width: number, height: number): Uint8Array {
  return withFreedMemory((track) => {
    const things = track(toMat({ values: isGround, width, height }));
    cv.bitwise_not(things, things);
    cv.threshold(things, things, NOT_GROUND, 255, cv.THRESH_BINARY);
    const [labels, stats, centres] = [track(new cv.Mat()), track(new cv.Mat()), track(new cv.Mat())];
    cv.connectedComponentsWithStats(things, labels, stats, centres);
    const [labelOf, statistics, columns] = [labels.data32S, stats.data32S, stats.cols];
    const most = Math.max(width, height) * MAX_LETTER;
    return isGround.map((value, i) => {
      const at = (labelOf[i] as number) * columns;
      const isSmall =
        (statistics[at + cv.CC_STAT_WIDTH] as number) <= most &&
        (statistics[at + cv.CC_STAT_HEIGHT] as number) <= most;
      return value === 1 || (isSmall && (distance[i] as number) <= TOLERANCE) ? 1 : 0;
    });
  });
}
/** The complement of 1, the value of the ground, in a byte. */
const NOT_GROUND = 254;

/** The largest value within `radius` columns and rows. */
const maximum = (values: Uint8Array, width: number, height: number, radius: number): Uint8Array =>
  withFreedMemory((track) => {
    const mat = track(toMat({ values, width, height }));
    const side = 2 * radius + 1;
    const square = track(cv.getStructuringElement(cv.MORPH_RECT, new cv.Size(side, side)));
    cv.dilate(mat, mat, square);
    return Uint8Array.from(mat.data);
  });
