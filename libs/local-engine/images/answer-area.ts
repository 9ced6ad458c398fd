import { sizeInPixels } from '#libs/contract/images.js';
import { wholeOf, within, type Area } from './area.js';
import { contentArea } from './bars.js';
import type { Placement } from './preview.js';
import { resizeGray, resizeRgba, toSharp, type GrayImage, type RgbaImage } from './raster.js';

/** How far two aspect ratios may differ that count as the same, on a logarithmic scale. */
const SAME_RATIO = 0.02;
/** Longest side of the copies that are compared. */
const COMPARED_SIDE = 160;
/** A less likely area must fit this much better than the likelier one before it. */
const MUCH_BETTER = 0.9;
/** A share of a side that rounding may leave uncovered. */
const CLOSE_TO_EDGE = 0.01;

type Size = Pick<Area, 'width' | 'height'>;

export interface AnswerOnPhoto {
  /** The answer in the size of the photo. */
  image: RgbaImage;
  /** The part of the photo that the answer shows. */
  covered: Area;
}

interface AnswerOptions {
  /** 255 where the model was to change the photo, which says nothing about the position. */
  changed?: GrayImage;
  /** What lies outside of the answer: nothing, or the answer mirrored at its edge. */
  outside: 'transparent' | 'mirrored';
}

/**
 * Brings a model's answer to the position and size of the photo that was sent on a canvas. Services stretch, crop or pad the
 * canvas if they have no such size, so an answer of another shape is compared with the photo.
 */
export async function answerOnPhoto(
  answer: RgbaImage,
  canvas: Placement,
  photo: RgbaImage,
  { changed, outside }: AnswerOptions,
): Promise<AnswerOnPhoto> {
  const contents = outside === 'transparent' ? [answer] : await withoutBars(answer);
  const views = contents.flatMap((image) => possibleAreas(image, canvas).map((area) => ({ image, area })));
  const { image, area } = views.length > 1 ? await bestView(views, photo, changed) : views[0]!;
  return draw(image, area, photo, outside);
}

/** An area of an answer, or of the part of it within its bars. */
interface View {
  image: RgbaImage;
  area: Area;
}

/** The answer, and its part within bars of one colour at its edges. Transparent bars are never a part of the picture. */
async function withoutBars(answer: RgbaImage): Promise<RgbaImage[]> {
  const content = contentArea(answer);
  if (!content) return [answer];
  const pixels = await toSharp(answer).extract(content).raw().toBuffer();
  const inner = { pixels, width: content.width, height: content.height };
  return answer.pixels[3] === 0 ? [inner] : [answer, inner];
}

/** The areas in which the answer may show the photo, the likeliest first. They may reach beyond the answer. */
function possibleAreas(answer: Size, { size, place }: Placement): [Area, ...Area[]] {
  const sent = sizeInPixels(size);
  const stretched = fit(place, sent, answer, answer.width / sent.width, answer.height / sent.height);
  if (hasSameRatio(answer, sent)) return [stretched];
  const whole = wholeOf(answer);
  const scales = [answer.width / sent.width, answer.height / sent.height];
  const cropped = fit(place, sent, answer, Math.max(...scales));
  const padded = fit(place, sent, answer, Math.min(...scales));
  return hasSameRatio(answer, place)
    ? [whole, cropped, stretched, padded]
    : [cropped, stretched, padded, whole];
}

const hasSameRatio = (one: Size, other: Size) =>
  Math.abs(Math.log((one.width * other.height) / (one.height * other.width))) < SAME_RATIO;

/** The photo's place after the sent canvas was scaled and centred on the answer. */
function fit(place: Area, sent: Size, answer: Size, across: number, down = across): Area {
  return {
    left: place.left * across + (answer.width - sent.width * across) / 2,
    top: place.top * down + (answer.height - sent.height * down) / 2,
    width: place.width * across,
    height: place.height * down,
  };
}

async function bestView(
  views: readonly View[],
  photo: RgbaImage,
  changed: GrayImage | undefined,
): Promise<View> {
  const smallPhoto = await shrink(photo);
  const { width, height } = smallPhoto;
  const ignored = changed && (await resizeGray(changed, width, height, 'linear')).values;
  let best = { view: views[0]!, difference: Infinity };
  for (const view of views) {
    const { image, area } = view;
    const smallAnswer = await shrink(image);
    const across = smallAnswer.width / image.width;
    const down = smallAnswer.height / image.height;
    const { left, top } = area;
    const small = {
      ...{ left: left * across, top: top * down },
      ...{ width: area.width * across, height: area.height * down },
    };
    const drawn = await draw(smallAnswer, small, smallPhoto, 'transparent');
    const difference = differenceOf(drawn.image, smallPhoto, ignored);
    if (difference < best.difference * MUCH_BETTER) best = { view, difference };
  }
  return best.view;
}

const shrink = (image: RgbaImage) => {
  const scale = Math.min(1, COMPARED_SIDE / Math.max(image.width, image.height));
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return resizeRgba(image, side(image.width), side(image.height));
};

/** Mean difference per channel where the answer is opaque; infinite if it is opaque nowhere. */
function differenceOf({ pixels }: RgbaImage, photo: RgbaImage, ignored: Uint8Array | undefined): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < pixels.length; i += 4) {
    if ((pixels[i + 3] as number) < 250 || (ignored?.[i / 4] ?? 0) > 0) continue;
    count += 3;
    for (let c = i; c < i + 3; c += 1) sum += Math.abs((pixels[c] as number) - (photo.pixels[c] as number));
  }
  return count === 0 ? Infinity : sum / count;
}

/** Draws the area of the answer in the size of the photo. */
async function draw(
  answer: RgbaImage,
  area: Area,
  photo: Size,
  outside: AnswerOptions['outside'],
): Promise<AnswerOnPhoto> {
  const shown = within(rounded(area), wholeOf(answer));
  const [across, down] = [photo.width / area.width, photo.height / area.height];
  const [left, right] = reach((shown.left - area.left) * across, shown.width * across, photo.width);
  const [top, bottom] = reach((shown.top - area.top) * down, shown.height * down, photo.height);
  const covered = { left, top, width: right - left, height: bottom - top };
  const pixels = await toSharp(answer)
    .extract(shown)
    .resize(covered.width, covered.height, { fit: 'fill' })
    .extend({
      left: covered.left,
      top: covered.top,
      right: photo.width - covered.left - covered.width,
      bottom: photo.height - covered.top - covered.height,
      ...(outside === 'mirrored' ? { extendWith: 'mirror' } : { background: { r: 0, g: 0, b: 0, alpha: 0 } }),
    })
    .raw()
    .toBuffer();
  return { image: { pixels, width: photo.width, height: photo.height }, covered };
}

/** Both ends of a length, in whole pixels, and at the photo's edge if they are close to it. */
function reach(start: number, length: number, whole: number): [start: number, end: number] {
  const close = Math.max(1, whole * CLOSE_TO_EDGE);
  const from = start <= close ? 0 : Math.min(Math.round(start), whole - 1);
  const to = start + length >= whole - close ? whole : Math.round(start + length);
  return [from, Math.max(from + 1, to)];
}

/** Rounds the edges, so that an area one pixel beside the whole is the whole. */
function rounded({ left, top, width, height }: Area): Area {
  const [x, y] = [Math.round(left), Math.round(top)];
  return { left: x, top: y, width: Math.round(left + width) - x, height: Math.round(top + height) - y };
}
