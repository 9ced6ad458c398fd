import type { DetectedObject } from '#libs/models/runner/messages.js';
import { ColourModel } from './colour-model.js';
import type { RunModel } from './model-request.js';
import { resizeGray, type GrayImage, type RgbaImage } from './raster.js';
import { findSubject, MODEL_SIDE, pixelOf, valueAt, type Area, type Likelihood } from './subject-mask.js';

/** A box in shares of the picture. */
export type ObjectBox = DetectedObject['box'];

export interface ObjectBoxes {
  /** Of the objects that are removed. */
  chosen: ObjectBox[];
  /** Of the objects that stay. */
  others: ObjectBox[];
}

/** A box is widened by this share of its size before its object is outlined. */
const BOX_MARGIN = 0.15;
/** Least likelihood of what is removed: a rim that stays is worse than one that is filled. */
const LEAST = 0.2;
/** Least likelihood of what surely belongs to an object. */
const SURE_LEAST = 0.5;
/** An object that fills less of its area cannot be told from its surroundings: its whole box is removed. */
const MIN_SHARE = 0.02;
/** Least share of an object that is its own beside its neighbours. */
const MIN_OWN = 0.1;
/** Of a box, the share within another one at which its object lies before the other. */
const NESTED = 0.8;

/**
 * Outlines objects, each widened, and more below, where its shadow is. What rather belongs to an object that stays is
 * left out.
 * @returns a mask of the picture's size, 255 where something is removed, and the area of each object
 */
export async function outlineObjects(
  photo: RgbaImage,
  { chosen, others }: ObjectBoxes,
  runModel: RunModel,
): Promise<{ mask: GrayImage; areas: Area[] }> {
  const { width, height } = photo;
  const mask = { values: new Uint8Array(width * height), width, height };
  const known = new Map<ObjectBox, Promise<Likelihood>>();
  const subjectIn = (box: ObjectBox) => {
    const subject = known.get(box) ?? findSubject(photo, pixelsOf(box, photo), runModel);
    known.set(box, subject);
    return subject;
  };
  const areas: Area[] = [];
  for (const box of chosen) {
    const subject = await subjectIn(box);
    const neighbours: Neighbour[] = [];
    for (const other of others) {
      const isBehind = shareWithin(box, other) > NESTED;
      if (isBehind || shareWithin(other, widen(box)) === 0) continue;
      const isBefore = shareWithin(other, box) > NESTED;
      neighbours.push({ box: other, isBefore, subject: await subjectIn(other) });
    }
    await addToMask(mask, subject.area, grownOutline(photo, box, subject, neighbours));
    areas.push(subject.area);
  }
  return { mask, areas };
}

/**
 * Which of several objects covers a point, in shares of the picture.
 * @returns the index of the first whose outline has it, or of the first of all
 */
export async function objectAt(
  photo: RgbaImage,
  boxes: ObjectBox[],
  point: { x: number; y: number },
  runModel: RunModel,
): Promise<number> {
  for (const [index, box] of boxes.entries()) {
    const subject = await findSubject(photo, pixelsOf(box, photo), runModel);
    if (valueAt(subject, point.x * photo.width, point.y * photo.height) >= SURE_LEAST) return index;
  }
  return 0;
}

/** An object that stays, and reaches into the area of one that is removed. */
interface Neighbour {
  box: ObjectBox;
  /** Whether it lies within the other's box, most likely before it. */
  isBefore: boolean;
  subject: Likelihood;
}

/** The object in a box, widened, without its neighbours; 0 or 255 for each point of the model's square. */
function grownOutline(
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
  const stays = pointsThatStay(photo, box, { ...subject, values: likelihood }, neighbours);
  const own = withoutRims(
    part.map((value, i) => (stays[i] === 1 ? 0 : value)),
    stays,
  );
  // Two boxes around one and the same thing: next to nothing would be left of it.
  if (count(own) < MIN_OWN * count(part)) return grow(part);
  return grow(own).map((value, i) => (stays[i] === 1 ? 0 : value));
}

const count = (points: Uint8Array | Float32Array): number => {
  let painted = 0;
  for (const point of points) if (point > 0) painted += 1;
  return painted;
};

/** The points of an area, 1 in the model's square, that rather belong to a neighbour, by outline, place and colour. */
function pointsThatStay(
  photo: RgbaImage,
  box: ObjectBox,
  subject: Likelihood,
  neighbours: Neighbour[],
): Uint8Array {
  const boxes = [box, ...neighbours.map((one) => one.box)];
  const colours = coloursOf(photo, box, subject, boxes);
  const stays = new Uint8Array(subject.values.length);
  for (const neighbour of neighbours) {
    const resemblance = resemblanceTo(
      subject,
      colours,
      coloursOf(photo, neighbour.box, neighbour.subject, boxes),
    );
    // A small box is filled by its object more than a large one.
    const smaller = areaOf(box) / areaOf(neighbour.box);
    for (let i = 0; i < stays.length; i += 1) {
      const { x, y } = pixelOf(subject.area, i);
      const other = valueAt(neighbour.subject, x, y);
      if (other < SURE_LEAST) continue;
      const [across, down] = [x / photo.width, y / photo.height];
      const middle = centrality(neighbour.box, across, down);
      const alike = resemblance[i] as number;
      const own = (subject.values[i] as number) * centrality(box, across, down) * (1 - alike) ** 2;
      const claim = other * (neighbour.isBefore && middle >= EDGE ? 1 : middle * smaller) * alike ** 2;
      if (claim > own) stays[i] = 1;
    }
  }
  return stays;
}

/** The colours of an object where it is alone: in its own box and in no other. */
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

/** How far the colours around each point are those of the other object, 0 to 1; a half where nothing is known. */
function resemblanceTo({ area, values }: Likelihood, own: ColourModel, other: ColourModel): Float32Array {
  const resemblance = new Float32Array(values.length).fill(0.5);
  if (!own.isKnown || !other.isKnown) return resemblance;
  for (let i = 0; i < values.length; i += 1) {
    const { x, y } = pixelOf(area, i);
    const [mine, theirs] = [own.likelihoodAt(x, y), other.likelihoodAt(x, y)];
    resemblance[i] = theirs / (mine + theirs);
  }
  return blur(blur(resemblance, 1), MODEL_SIDE);
}

/** Averages over the neighbours in a row, or in a column where `step` is the length of a row. */
function blur(values: Float32Array, step: number): Float32Array {
  const to = new Float32Array(values.length);
  const line = step === 1 ? MODEL_SIDE : 1;
  for (let k = 0; k < MODEL_SIDE; k += 1) {
    const at = (i: number) => k * line + Math.min(MODEL_SIDE - 1, Math.max(0, i)) * step;
    let sum = 0;
    for (let i = -BLUR; i <= BLUR; i += 1) sum += values[at(i)] as number;
    for (let i = 0; i < MODEL_SIDE; i += 1) {
      to[at(i)] = sum / (2 * BLUR + 1);
      sum += (values[at(i + BLUR + 1)] as number) - (values[at(i - BLUR)] as number);
    }
  }
  return to;
}
/** In steps of the model's square. */
const BLUR = 6;

/** Takes away thin strips beside what stays: the soft rim of a neighbour is no part of the object. */
function withoutRims(own: Uint8Array, stays: Uint8Array): Uint8Array {
  const near = dilate(
    stays.map((value) => value * 255),
    2 * RIM,
  );
  const outside = own.map((value) => 255 - value);
  const core = dilate(outside, RIM).map((value) => 255 - value);
  const opened = dilate(core, RIM);
  return own.map((value, i) => (near[i] === 0 || opened[i] === 255 ? value : 0));
}
/** Half the width of such a strip, in steps of the model's square. */
const RIM = 4;

const isWithin = ({ left, top, right, bottom }: ObjectBox, x: number, y: number) =>
  x >= left && x <= right && y >= top && y <= bottom;

/** Of a box: the value of {@link centrality} at its edge. */
const EDGE = 0.1;

/** Where boxes overlap, a point rather belongs to the one whose middle is nearer: 1 there, and little outside. */
function centrality({ left, top, right, bottom }: ObjectBox, x: number, y: number): number {
  const distance = Math.max(
    Math.abs(2 * x - left - right) / Math.max(right - left, 1e-6),
    Math.abs(2 * y - top - bottom) / Math.max(bottom - top, 1e-6),
  );
  return distance > 1 ? EDGE / 4 : 1 - (1 - EDGE) * distance * distance;
}

/** Of a box, the share that lies within another one. */
function shareWithin(box: ObjectBox, other: ObjectBox): number {
  const width = Math.min(box.right, other.right) - Math.max(box.left, other.left);
  const height = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
  return width <= 0 || height <= 0 ? 0 : (width * height) / areaOf(box);
}

const areaOf = ({ left, top, right, bottom }: ObjectBox) => Math.max(1e-9, (right - left) * (bottom - top));

function widen({ left, top, right, bottom }: ObjectBox): ObjectBox {
  const [x, y] = [(right - left) * BOX_MARGIN, (bottom - top) * BOX_MARGIN];
  return { left: left - x, top: top - y, right: right + x, bottom: bottom + y };
}

/** The pixels of a box, widened, within the picture. */
export function pixelsOf(box: ObjectBox, { width, height }: RgbaImage): Area {
  const { left, top, right, bottom } = widen(box);
  const x = Math.max(0, Math.floor(left * width));
  const y = Math.max(0, Math.floor(top * height));
  return {
    left: x,
    top: y,
    width: Math.max(1, Math.min(width, Math.ceil(right * width)) - x),
    height: Math.max(1, Math.min(height, Math.ceil(bottom * height)) - y),
  };
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

/** In steps of the model's square: all around, and twice as far below, where its shadow is. */
const GROW = 6;

const grow = (square: Uint8Array) => dilate(square, GROW, 2 * GROW);

/** By a rectangle. */
function dilate(square: Uint8Array, radius: number, below = radius): Uint8Array {
  const to = new Uint8Array(square.length);
  for (let y = 0; y < MODEL_SIDE; y += 1) {
    for (let x = 0; x < MODEL_SIDE; x += 1) {
      if (square[y * MODEL_SIDE + x] === 0) continue;
      const bottom = Math.min(MODEL_SIDE - 1, y + below);
      for (let row = Math.max(0, y - radius); row <= bottom; row += 1)
        to.fill(
          255,
          row * MODEL_SIDE + Math.max(0, x - radius),
          row * MODEL_SIDE + Math.min(MODEL_SIDE, x + radius + 1),
        );
    }
  }
  return to;
}
