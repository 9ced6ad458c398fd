import { backgroundDistance } from './background-distance.js';
import { grabCut } from './graph-cut.js';
import { cv, toMat, withFreedMemory, type CvMat } from './open-cv.js';
import type { RgbaImage, GrayImage } from './raster.js';

const ITERATIONS = 5;
/** Components and holes of a smaller share of the subject are noise. */
const MIN_COMPONENT_SHARE = 0.012;
const MIN_HOLE_SHARE = 0.025;
/** A smaller share of the image is no subject. */
const MIN_SUBJECT_SHARE = 0.004;

/**
 * Segments the subject with GrabCut (Rother 2004), initialised with each pixel's distance from the border's colours.
 * Meant for images of about 512 × 512 pixels. Transparent pixels are background.
 * @returns 255 for the subject and 0 for the background; all 0 when no subject is found
 */
export function segmentSubject(photo: RgbaImage): GrayImage {
  const { width, height } = photo;
  const labels = initialLabels(photo);
  if (!labels) return { values: new Uint8Array(width * height), width, height };
  const subject = grabCut(photo, labels, ITERATIONS);
  return withFreedMemory((track) => {
    const mask = track(toMat({ values: subject, width, height }));
    cleanMask(mask);
    return { values: Uint8Array.from(mask.data), width, height };
  });
}

/** GrabCut's initial label of each pixel; null when nothing differs from the border. */
function initialLabels(photo: RgbaImage): Uint8Array | null {
  const { width, height, pixels } = photo;
  const { values, threshold } = backgroundDistance(photo);
  const labels = new Uint8Array(width * height);
  let subject = 0;
  for (let i = 0; i < labels.length; i += 1) {
    const value = values[i] as number;
    const x = i % width;
    const y = Math.floor(i / width);
    const edge = Math.min(x, width - 1 - x, y) < 2;
    if ((pixels[i * 4 + 3] as number) < 128 || (edge && value < threshold * 1.5)) labels[i] = cv.GC_BGD;
    else if (value < threshold * 0.35 && isMargin(x, y, width, height)) labels[i] = cv.GC_BGD;
    else if (value > threshold) {
      labels[i] = cv.GC_PR_FGD;
      subject += 1;
    } else labels[i] = cv.GC_PR_BGD;
  }
  const visible = labels.reduce((n, label) => n + (label === cv.GC_BGD ? 0 : 1), 0);
  return subject < labels.length * 0.002 || subject === visible ? null : labels;
}

/** Within a tenth of the left, right or upper edge. */
const isMargin = (x: number, y: number, width: number, height: number) =>
  x < width * 0.1 || x > width * 0.9 || y < height * 0.1;

/** Smooths the outline, fills small holes and removes small components, in place. */
function cleanMask(mask: CvMat): void {
  withFreedMemory((track) => {
    const disc = track(cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(3, 3)));
    cv.morphologyEx(mask, mask, cv.MORPH_OPEN, disc);
    cv.morphologyEx(mask, mask, cv.MORPH_CLOSE, disc);
    const area = mask.data.reduce((n, value) => n + (value ? 1 : 0), 0);
    removeSmallComponents(mask, area * MIN_COMPONENT_SHARE);
    cv.bitwise_not(mask, mask);
    removeSmallComponents(mask, area * MIN_HOLE_SHARE);
    cv.bitwise_not(mask, mask);
    if (area < mask.data.length * MIN_SUBJECT_SHARE) mask.data.fill(0);
  });
}

function removeSmallComponents(mask: CvMat, least: number): void {
  withFreedMemory((track) => {
    const [labels, stats, centres] = [track(new cv.Mat()), track(new cv.Mat()), track(new cv.Mat())];
    cv.connectedComponentsWithStats(mask, labels, stats, centres);
    const columns = stats.cols;
    const [values, labelOf, statistics] = [mask.data, labels.data32S, stats.data32S];
    for (let i = 0; i < values.length; i += 1) {
      const label = labelOf[i] as number;
      if (label > 0 && (statistics[label * columns + cv.CC_STAT_AREA] as number) < least) values[i] = 0;
    }
  });
}
