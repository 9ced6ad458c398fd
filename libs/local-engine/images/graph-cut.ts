import { cv, toMat, withFreedMemory } from './open-cv.js';
import { toSharp, type RgbaImage } from './raster.js';
import { MODEL_SIDE, type Likelihood } from './subject-mask.js';

/** Likelihoods between which the graph cut decides. */
const [SURE_NOT, SURE] = [0.15, 0.9];
const ITERATIONS = 3;
const [MODEL_SHARE, CUT_SHARE] = [0.7, 0.3];

/**
 * Corrects uncertain parts by the picture's colours and edges, such as a shadow next to the subject, or a part of the
 * subject with a low likelihood.
 */
export async function correctByGraphCut(photo: RgbaImage, { area, values }: Likelihood): Promise<Likelihood> {
  const labels = Uint8Array.from(values, (value) => {
    if (value > SURE) return cv.GC_FGD;
    if (value < SURE_NOT) return cv.GC_BGD;
    return value > 0.5 ? cv.GC_PR_FGD : cv.GC_PR_BGD;
  });
  const subject = labels.filter(isSubject).length;
  // The cut needs points of both kinds to start.
  if (subject === 0 || subject === labels.length) return { area, values };
  const pixels = await toSharp(photo)
    .extract(area)
    .flatten({ background: '#fff' })
    .resize(MODEL_SIDE, MODEL_SIDE, { fit: 'fill' })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const cut = grabCut({ pixels, width: MODEL_SIDE, height: MODEL_SIDE }, labels, ITERATIONS);
  return {
    area,
    values: values.map((value, i) => MODEL_SHARE * value + (CUT_SHARE * (cut[i] as number)) / 255),
  };
}

const isSubject = (label: number) => label === cv.GC_FGD || label === cv.GC_PR_FGD;

/**
 * Runs GrabCut (Rother 2004) from a label for each pixel.
 * @returns 255 for the subject and 0 for the background
 */
export function grabCut(
  { pixels, width, height }: RgbaImage,
  labels: Uint8Array,
  iterations: number,
): Uint8Array {
  return withFreedMemory((track) => {
    // GrabCut starts with random clusters; a fixed seed makes it deterministic.
    cv.setRNGSeed(1);
    const rgba = track(new cv.Mat(height, width, cv.CV_8UC4));
    rgba.data.set(pixels);
    const rgb = track(new cv.Mat());
    cv.cvtColor(rgba, rgb, cv.COLOR_RGBA2RGB);
    const mask = track(toMat({ values: labels, width, height }));
    const [background, foreground] = [track(new cv.Mat()), track(new cv.Mat())];
    const nowhere = new cv.Rect(0, 0, 1, 1);
    cv.grabCut(rgb, mask, nowhere, background, foreground, iterations, cv.GC_INIT_WITH_MASK);
    return Uint8Array.from(mask.data, (label) => (isSubject(label) ? 255 : 0));
  });
}
