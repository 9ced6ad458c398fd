import sharp from 'sharp';
import { AppError } from '#libs/contract/errors.js';
import type { CutOutModelId } from '#libs/contract/model-names.js';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import { wholeOf } from '#libs/local-engine/images/area.js';
import { boxMean } from '#libs/local-engine/images/matting.js';
import { decodeImage } from '#libs/local-engine/images/raster.js';
import { findSubject, MODEL_SIDE } from '#libs/local-engine/images/subject-mask.js';
import { uNetInput } from '#libs/models/segmentation-input.js';
import type { LocalModels } from '#libs/models/local-models.js';
import type { Mask, Photograph } from './photographs.ts';

// Jest makes each access to a global slow, and these run for every pixel.
const { abs, max, min, round } = Math;

/** Pixels on each side of the true outline in which the rim is measured. */
const RIM = 10;

/** Opacity compared with the mask. */
export interface Comparison {
  /** Intersection over union, weighted by opacity: 1 is perfect. */
  iou: number;
  /** Mean absolute error of the opacity within ten pixels of the outline, 0 to 1. */
  rim: number;
}

export interface CutOutFigure extends Pick<Photograph, 'name' | 'half' | 'fault'> {
  /** The model's answer alone, scaled up; null without a model. */
  plain: Comparison | null;
  /** True if the product asks for a check of an edge. */
  isDoubted: boolean;
  /** The product's cut-out; null where it refused. */
  result: Comparison | null;
}

const never = new AbortController().signal;

/** The product's cut-out of a photograph as PNG, by a model, or by colour alone; null where it refuses. */
export async function cutOut(
  jpeg: Uint8Array,
  models: LocalModels | null,
  model: CutOutModelId = 'u2netp',
): Promise<{ image: Uint8Array; isDoubted: boolean } | null> {
  try {
    const cut = models
      ? await onImageThread('cutOut', { bytes: jpeg, input: uNetInput }, never, undefined, ({ input }) =>
          models.run(model, input, never),
        )
      : await onImageThread('removeBackground', { bytes: jpeg }, never);
    return { image: cut.image, isDoubted: 'doubt' in cut && cut.doubt !== null };
  } catch (error) {
    if (error instanceof AppError && error.code === 'ENGINE_CANNOT') return null;
    throw error;
  }
}

/** The model's own opacity for a photograph, stretched as its authors do. */
export async function plainAlpha(
  jpeg: Uint8Array,
  models: LocalModels,
  model: CutOutModelId = 'u2netp',
): Promise<Buffer> {
  const photo = await decodeImage(jpeg);
  const { width, height } = photo;
  const { values } = await findSubject(photo, wholeOf(photo), {
    input: uNetInput,
    runModel: ({ input }) => models.run(model, input, never),
  });
  const [least, most] = [values.reduce((a, b) => min(a, b)), values.reduce((a, b) => max(a, b))];
  const gray = Buffer.from(values.map((value) => round((255 * (value - least)) / (most - least))));
  return sharp(gray, { raw: { width: MODEL_SIDE, height: MODEL_SIDE, channels: 1 } })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .extractChannel(0)
    .raw()
    .toBuffer();
}

/** @param models null measures the algorithm by colour, the fallback for a missing model */
export async function measureCutOut(
  { name, half, fault, jpeg, mask }: Photograph & { mask: Mask },
  models: LocalModels | null,
  model?: CutOutModelId,
): Promise<CutOutFigure> {
  const cut = await cutOut(jpeg, models, model);
  const alpha = cut && (await sharp(cut.image).extractChannel('alpha').raw().toBuffer());
  return {
    name,
    half,
    fault,
    plain: models && compare(await plainAlpha(jpeg, models, model), mask),
    result: alpha && compare(alpha, mask),
    isDoubted: cut?.isDoubted ?? false,
  };
}

export function compare(alpha: Buffer, { alpha: truth, width, height }: Mask): Comparison {
  const inside = boxMean(
    Float32Array.from(truth, (value) => (value >= 128 ? 1 : 0)),
    width,
    height,
    RIM,
  );
  let [both, either, error, band] = [0, 0, 0, 0];
  for (let i = 0; i < alpha.length; i += 1) {
    const [a, t, share] = [alpha[i] as number, truth[i] as number, inside[i] as number];
    both += min(a, t);
    either += max(a, t);
    if (share < 0.001 || share > 0.999) continue;
    band += 1;
    error += abs(a - t) / 255;
  }
  return { iou: either === 0 ? 0 : both / either, rim: error / band };
}

/** The mean and the worst of some cut-outs; a refusal counts as an overlap of 0. */
export function summarize(figures: CutOutFigure[]) {
  const ious = figures.map(({ result }) => result?.iou ?? 0);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    mean: mean(ious),
    worst: ious.reduce((a, b) => min(a, b)),
    rim: mean(figures.map(({ result }) => result?.rim ?? 1)),
    plainMean: mean(figures.map(({ plain }) => plain?.iou ?? 0)),
    plainRim: mean(figures.map(({ plain }) => plain?.rim ?? 1)),
    usable: figures.filter(({ fault }) => fault === '').length,
    flagged: figures.filter(({ fault, isDoubted }) => fault !== '' && isDoubted).length,
    flaggedUsable: figures.filter(({ fault, isDoubted }) => fault === '' && isDoubted).length,
    count: figures.length,
  };
}
