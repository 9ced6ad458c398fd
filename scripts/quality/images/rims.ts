import sharp from 'sharp';
import { boxMean } from '#libs/local-engine/images/matting.js';
import type { LocalModels } from '#libs/models/local-models.js';
import { cutOut } from './cut-outs.ts';
import type { Mask, Photograph } from './photographs.ts';

// Jest makes each access to a global slow, and these run for every pixel.
const { abs, min, round } = Math;

const GREEN = { r: 58, g: 154, b: 58 };
/** A pixel whose true opacity is greater has the subject's own colour. */
const SURE = 0.97;
/** Pixels from the outline at which the subject's colour is looked for, and at which colours are compared. */
const [REACH, RIM] = [7, 4];

/**
 * The subject of a photograph is put on green and cut out again.
 * @returns the mean difference of the colours at the rim from the subject's own, weighted by opacity, from 0 to 1
 */
export async function measureRimColour(
  { jpeg, mask: { alpha, width, height } }: Photograph & { mask: Mask },
  models: LocalModels,
): Promise<number> {
  const { data: photo } = await sharp(jpeg)
    .removeAlpha()
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const truth = Float32Array.from(alpha, (value) => value / 255);
  const own = ownColours(photo, truth, width, height);
  const onGreen = Buffer.alloc(photo.length);
  for (let i = 0; i < photo.length; i += 1) {
    const share = truth[floor3(i)] as number;
    onGreen[i] = round(share * (own[i] as number) + (1 - share) * [GREEN.r, GREEN.g, GREEN.b][i % 3]!);
  }
  const raw = { raw: { width, height, channels: 3 as const } };
  const cut = await cutOut(await sharp(onGreen, raw).jpeg({ quality: 92 }).toBuffer(), models);
  if (!cut) return 1;
  const result = await sharp(cut.image).ensureAlpha().raw().toBuffer();
  const isPartial = truth.map((value) => Number(value > 0.02 && value < SURE));
  const near = boxMean(isPartial, width, height, RIM);
  let [error, count] = [0, 0];
  for (let i = 0; i < truth.length; i += 1) {
    if ((near[i] as number) < 0.001) continue;
    count += 1;
    const weight = min(truth[i] as number, (result[i * 4 + 3] as number) / 255) / (3 * 255);
    for (let c = 0; c < 3; c += 1)
      error += weight * abs((result[i * 4 + c] as number) - (own[i * 3 + c] as number));
  }
  return error / count;
}

const floor3 = (i: number) => (i - (i % 3)) / 3;

/** The photograph's colours, and at the rim the mean of those of the subject nearby. */
function ownColours(photo: Buffer, truth: Float32Array, width: number, height: number): Float32Array {
  const sure = truth.map((value) => Number(value > SURE));
  const weight = boxMean(sure, width, height, REACH);
  const colours = Float32Array.from(photo);
  for (let c = 0; c < 3; c += 1) {
    const mean = boxMean(
      sure.map((value, i) => value * (photo[i * 3 + c] as number)),
      width,
      height,
      REACH,
    );
    for (let i = 0; i < truth.length; i += 1)
      if (sure[i] === 0) colours[i * 3 + c] = (mean[i] as number) / ((weight[i] as number) + 1e-6);
  }
  return colours;
}
