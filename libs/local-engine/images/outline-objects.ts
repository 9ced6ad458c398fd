import type { DetectedObject } from '#libs/models/runner/messages.js';
import { distanceFromMiddle } from '#libs/models/runner/boxes.js';
import { pixelsOf, type Area } from './area.js';
import { ColourModel } from './colour-model.js';
import type { RunModel } from './model-request.js';
import { computeFloats, cv } from './open-cv.js';
import { resizeGray, type GrayImage, type RgbaImage } from './raster.js';
import { uNetInput } from '#libs/models/segmentation-input.js';
import { dilate, findSubject, MODEL_SIDE, pixelOf, valueAt, type Likelihood } from './subject-mask.js';

/** A box in shares of the picture. */
export type ObjectBox = DetectedObject['box'];

export interface ObjectBoxes {
  chosen: ObjectBox[];
  others: ObjectBox[];
}

/** A box is widened by this share of its size before its object is outlined. */
const BOX_MARGIN = 0.15;
/** The lowest likelihood that is removed. It is low because a remaining rim is worse than a filled one. */
const LEAST = 0.2;
/** The lowest likelihood that certainly belongs to an object. */
const SURE_LEAST = 0.5;
/** When an object fills a smaller share of its area, the model has not found it, and its whole box is removed. */
const MIN_SHARE = 0.02;
/** The smallest share of an object that may remain after its neighbours are subtracted. */
const MIN_OWN = 0.1;
/** A box with a larger share inside another one belongs to an object in front of the other. */
const NESTED = 0.8;

/**
 * Outlines objects with a margin that is larger below, where the shadow is. Points that more likely belong to an object
 * to keep are left out.
 * @returns a mask of the picture's size, 255 where something is removed, and the area of each object
 */
export async function outlineObjects(
  photo: RgbaImage,
  { chosen, others }: ObjectBoxes,
  runModel: RunModel,
): Promise<{ mask: GrayImage; areas: Area[] }> {
  const { width, height } = photo;
  const mask = { values: new Uint8Array(width * height), width, height };
  const subjects = new Map<ObjectBox, Promise<Likelihood>>();
  const subjectIn = (box: ObjectBox) => {
    const subject =
      subjects.get(box) ?? findSubject(photo, pixelsOf(widen(box), photo), { runModel, input: uNetInput });
    subjects.set(box, subject);
    return subject;
  };
  const areas: Area[] = [];
  for (const box of chosen) {
    const subject = await subjectIn(box);
    const neighbours: Neighbour[] = [];
    for (const other of others) {
      const isBehind = shareWithin(box, other) > NESTED;
      if (isBehind || shareWithin(other, widen(box)) === 0) continue;
      const isInFront = shareWithin(other, box) > NESTED;
      neighbours.push({ box: other, isInFront, subject: await subjectIn(other) });
    }
    await addToMask(mask, subject.area, outlineWithMargin(photo, box, subject, neighbours));
    areas.push(subject.area);
  }
  return { mask, areas };
}

/**
 * Finds the object that covers a point, in shares of the picture.
 * @returns the index of the first object whose outline contains the point, else 0
 */
export async function objectAt(
  photo: RgbaImage,
  boxes: ObjectBox[],
  point: { x: number; y: number },
  runModel: RunModel,
): Promise<number> {
  for (const [index, box] of boxes.entries()) {
    const subject = await findSubject(photo, pixelsOf(widen(box), photo), { runModel, input: uNetInput });
    if (valueAt(subject, point.x * photo.width, point.y * photo.height) >= SURE_LEAST) return index;
  }
  return 0;
}

/** An object to keep that reaches into the area of one to remove. */
interface Neighbour {
  box: ObjectBox;
  /** True if the object is inside the other's box, and so most likely in front of it. */
  isInFront: boolean;
  subject: Likelihood;
}

/** The outline of an object with its margin and without its neighbours; 0 or 255 for each point of the model's square. */
function outlineWithMargin(
  photo: RgbaImage,
  box: ObjectBox,
  subject: Likelihood,
  neighbours: Neighbour[],
): Uint8Array {
  const isFaint =
    count(subject.values.map((value) => Number(value > LEAST))) < subject.values.length * MIN_SHARE;
  const likelihood = isFaint ? subject.values.map(() => 1) : subject.values;
  const part = Uint8Array.from(likelihood, (value) => (value > LEAST ? 255 : 0));
  if (neighbours.length === 0) return grow(part);
  const kept = neighbourPoints(photo, box, { ...subject, values: likelihood }, neighbours);
  const own = withoutRims(
    part.map((value, i) => (kept[i] === 1 ? 0 : value)),
    kept,
  );
  // Two boxes around the same object: almost nothing of it would remain.
  if (count(own) < MIN_OWN * count(part)) return grow(part);
  return grow(own).map((value, i) => (kept[i] === 1 ? 0 : value));
}

const count = (points: Uint8Array | Float32Array): number => {
  let painted = 0;
  for (const point of points) if (point > 0) painted += 1;
  return painted;
};

/** The points of an area, 1 in the model's square, that more likely belong to a neighbour, by outline, place and colour. */
function neighbourPoints(
  photo: RgbaImage,
  box: ObjectBox,
  subject: Likelihood,
  neighbours: Neighbour[],
): Uint8Array {
  const boxes = [box, ...neighbours.map((one) => one.box)];
  const colours = coloursOf(photo, box, subject, boxes);
  const kept = new Uint8Array(subject.values.length);
  for (const neighbour of neighbours) {
    const resemblance = resemblanceTo(
      subject,
      colours,
      coloursOf(photo, neighbour.box, neighbour.subject, boxes),
    );
    // An object fills more of a small box than of a large one.
    const smaller = areaOf(box) / areaOf(neighbour.box);
    for (let i = 0; i < kept.length; i += 1) {
      const { x, y } = pixelOf(subject.area, i);
      const other = valueAt(neighbour.subject, x, y);
      if (other < SURE_LEAST) continue;
      const [across, down] = [x / photo.width, y / photo.height];
      const middle = centrality(neighbour.box, across, down);
      const alike = resemblance[i] as number;
      const own = (subject.values[i] as number) * centrality(box, across, down) * (1 - alike) ** 2;
      const claim = other * (neighbour.isInFront && middle >= EDGE ? 1 : middle * smaller) * alike ** 2;
      if (claim > own) kept[i] = 1;
    }
  }
  return kept;
}

/** The colours of an object in the part of its box that no other box covers. */
function coloursOf(photo: RgbaImage, box: ObjectBox, subject: Likelihood, boxes: ObjectBox[]): ColourModel {
  const colours = new ColourModel(photo);
  for (let i = 0; i < subject.values.length; i += 1) {
    if ((subject.values[i] as number) < SURE_LEAST) continue;
    const { x, y } = pixelOf(subject.area, i);
    const within = boxes.filter((one) => isWithin(one, x / photo.width, y / photo.height));
    if (within.length === 1 && within[0] === box) colours.add(x, y);
  }
  return colours;
}

/** How much the colours around each point resemble the other object, 0 to 1; 0.5 without enough pixels to compare. */
function resemblanceTo({ area, values }: Likelihood, own: ColourModel, other: ColourModel): Float32Array {
  const resemblance = new Float32Array(values.length).fill(0.5);
  if (!own.hasEnough || !other.hasEnough) return resemblance;
  for (let i = 0; i < values.length; i += 1) {
    const { x, y } = pixelOf(area, i);
    const [mine, theirs] = [own.likelihoodAt(x, y), other.likelihoodAt(x, y)];
    resemblance[i] = theirs / (mine + theirs);
  }
  return computeFloats({ values: resemblance, width: MODEL_SIDE, height: MODEL_SIDE }, (from, to) =>
    cv.blur(from, to, new cv.Size(BLUR, BLUR), new cv.Point(-1, -1), cv.BORDER_REPLICATE),
  );
}

/** The side of the square of points that a resemblance is averaged over. */
const BLUR = 13;

/** Removes thin strips next to a neighbour, because they are its soft rim. */
function withoutRims(own: Uint8Array, kept: Uint8Array): Uint8Array {
  const near = dilate(
    kept.map((value) => value * 255),
    2 * RIM,
  );
  const outside = own.map((value) => 255 - value);
  const core = dilate(outside, RIM).map((value) => 255 - value);
  const opened = dilate(core, RIM);
  return own.map((value, i) => (near[i] === 0 || opened[i] === 255 ? value : 0));
}
/** Half the width of a strip, in points of the model's square. */
const RIM = 4;

const isWithin = ({ left, top, right, bottom }: ObjectBox, x: number, y: number) =>
  x >= left && x <= right && y >= top && y <= bottom;

/** The value of {@link centrality} at the edge of a box. */
const EDGE = 0.1;

/** 1 in the middle of a box, falling to its edge: where boxes overlap, the nearer middle decides. */
function centrality(box: ObjectBox, x: number, y: number): number {
  const distance = distanceFromMiddle(box, x, y);
  return distance > 1 ? EDGE / 4 : 1 - (1 - EDGE) * distance * distance;
}

/** The share of a box that is inside another one. */
function shareWithin(box: ObjectBox, other: ObjectBox): number {
  const width = Math.min(box.right, other.right) - Math.max(box.left, other.left);
  const height = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
  return width <= 0 || height <= 0 ? 0 : (width * height) / areaOf(box);
}

const areaOf = ({ left, top, right, bottom }: ObjectBox) => Math.max(1e-9, (right - left) * (bottom - top));

/** Adds a margin to a box, which may reach beyond the picture. */
export function widen({ left, top, right, bottom }: ObjectBox): ObjectBox {
  const [x, y] = [(right - left) * BOX_MARGIN, (bottom - top) * BOX_MARGIN];
  return { left: left - x, top: top - y, right: right + x, bottom: bottom + y };
}

async function addToMask(mask: GrayImage, area: Area, square: Uint8Array): Promise<void> {
  const inArea = await resizeGray(
    { values: square, width: MODEL_SIDE, height: MODEL_SIDE },
    area.width,
    area.height,
    'linear',
  );
  for (let y = 0; y < area.height; y += 1) {
    for (let x = 0; x < area.width; x += 1) {
      if ((inArea.values[y * area.width + x] as number) >= 64)
        mask.values[(area.top + y) * mask.width + area.left + x] = 255;
    }
  }
}

/** The margin of an outline, in points of the model's square; twice as much below, where the shadow is. */
const GROW = 6;

const grow = (square: Uint8Array) => dilate(square, GROW, 2 * GROW);
