import { compareWithBorder } from './backdrop.js';
import { cv, withMemory } from './open-cv.js';
import type { Photo, Plane } from './photo.js';

const ITERATIONS = 5;
/** Pieces, and holes, smaller than this share of the subject are taken for noise. */
const SMALL_PIECE = 0.012;
const SMALL_HOLE = 0.025;
/** A smaller share of the picture is a speck, not its subject. */
const LEAST_SUBJECT = 0.004;

/**
 * Finds the subject: GrabCut (Rother 2004), started from how unlike the border's colours each pixel is. Meant for
 * pictures of about 512 x 512 pixels. What is transparent in `photo` is background.
 * @returns 255 for the subject and 0 for the background; all 0 when nothing stands out
 */
export function findSubject(photo: Photo): Plane {
  const { width, height } = photo;
  const start = startMask(photo);
  if (!start) return { values: new Uint8Array(width * height), width, height };
  return withMemory((keep) => {
    // The same picture gives the same mask: GrabCut's models start from random clusters.
    cv.setRNGSeed(1);
    const rgba = keep(new cv.Mat(height, width, cv.CV_8UC4));
    rgba.data.set(photo.pixels);
    const rgb = keep(new cv.Mat());
    cv.cvtColor(rgba, rgb, cv.COLOR_RGBA2RGB);
    const mask = keep(new cv.Mat(height, width, cv.CV_8UC1));
    mask.data.set(start);
    const [background, foreground] = [keep(new cv.Mat()), keep(new cv.Mat())];
    const nowhere = new cv.Rect(0, 0, 1, 1);
    cv.grabCut(rgb, mask, nowhere, background, foreground, ITERATIONS, cv.GC_INIT_WITH_MASK);
    for (let i = 0; i < mask.data.length; i += 1) {
      const label = mask.data[i];
      mask.data[i] = label === cv.GC_FGD || label === cv.GC_PR_FGD ? 255 : 0;
    }
    tidy(mask);
    return { values: Uint8Array.from(mask.data), width, height };
  });
}

/** What GrabCut begins with, a label for each pixel; null when there is nothing that differs from the border. */
function startMask(photo: Photo): Uint8Array | null {
  const { width, height, pixels } = photo;
  const { values, threshold } = compareWithBorder(photo);
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

/** Smooths the outline, fills small holes and removes small pieces, in place. */
function tidy(mask: InstanceType<typeof cv.Mat>): void {
  withMemory((keep) => {
    const disc = keep(cv.getStructuringElement(cv.MORPH_ELLIPSE, new cv.Size(3, 3)));
    cv.morphologyEx(mask, mask, cv.MORPH_OPEN, disc);
    cv.morphologyEx(mask, mask, cv.MORPH_CLOSE, disc);
    const area = mask.data.reduce((n, value) => n + (value ? 1 : 0), 0);
    clearSmall(mask, area * SMALL_PIECE);
    cv.bitwise_not(mask, mask);
    clearSmall(mask, area * SMALL_HOLE);
    cv.bitwise_not(mask, mask);
    if (area < mask.data.length * LEAST_SUBJECT) mask.data.fill(0);
  });
}

/** Removes every connected piece of fewer than `least` pixels. */
function clearSmall(mask: InstanceType<typeof cv.Mat>, least: number): void {
  withMemory((keep) => {
    const [labels, stats, centres] = [keep(new cv.Mat()), keep(new cv.Mat()), keep(new cv.Mat())];
    cv.connectedComponentsWithStats(mask, labels, stats, centres);
    const columns = stats.cols;
    for (let i = 0; i < mask.data.length; i += 1) {
      const label = labels.data32S[i] as number;
      if (label > 0 && (stats.data32S[label * columns + cv.CC_STAT_AREA] as number) < least) mask.data[i] = 0;
    }
  });
}
