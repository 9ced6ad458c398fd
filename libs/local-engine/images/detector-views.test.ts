import { expect, it } from '@jest/globals';
import type { DetectedObject } from '#libs/models/runner/messages.js';
import { drawView, mergeViews, detectorViews } from './detector-views.js';

type Box = DetectedObject['box'];
const boxOf = (left: number, top: number, right: number, bottom: number): Box => ({
  left,
  top,
  right,
  bottom,
});

it('draws a picture with a margin, and a part of the picture', async () => {
  const [width, height] = [60, 40];
  const photo = { pixels: Buffer.alloc(width * height * 3), width, height };
  for (let i = 0; i < width * height; i += 1) if (i % width < 20) photo.pixels[i * 3] = 255;
  /** The red of some points of a view. */
  const draw = async (view: Box, points: [number, number][]) => {
    const drawn = await drawView(photo, view, 60);
    const at = ([x, y]: [number, number]) =>
      drawn.data[(Math.floor(y * drawn.height) * drawn.width + Math.floor(x * drawn.width)) * 3];
    return { size: [drawn.width, drawn.height], red: points.map(at) };
  };
  const middle = 0.5;
  expect(
    await draw(boxOf(-0.5, -0.5, 1.5, 1.5), [
      [0.1, middle],
      [0.3, middle],
      [0.5, middle],
      [0.9, 0.1],
    ]),
  ).toEqual({ size: [60, 40], red: [255, 255, 0, 0] });
  expect(
    await draw(boxOf(0.2, 0.4, 0.8, 1), [
      [0.1, middle],
      [0.4, middle],
    ]),
  ).toEqual({ size: [36, 24], red: [255, 0] });
});

/** The objects in the views, each at its box in the picture. */
const shown = (...objects: [view: number, name: string, score: number, box: Box][]) => {
  const found = detectorViews.map((): DetectedObject[] => []);
  for (const [view, name, score, box] of objects) {
    const area = detectorViews[view] as Box;
    const x = (share: number) => (share - area.left) / (area.right - area.left);
    const y = (share: number) => (share - area.top) / (area.bottom - area.top);
    found[view]?.push({
      name,
      score,
      box: boxOf(x(box.left), y(box.top), x(box.right), y(box.bottom)),
    });
  }
  return found;
};
const rounded = (found: DetectedObject[]) =>
  found.map(({ name, score, box: { left, top, right, bottom } }) => [
    name,
    score,
    ...[left, top, right, bottom].map((share) => Math.round(share * 1000) / 1000),
  ]);
const [ROOM, UPPER_LEFT] = [0, 1];

it('converts boxes of views to boxes of the picture', () => {
  const merged = mergeViews(
    shown(
      [ROOM, 'sports ball', 0.8, boxOf(-0.01, 0.02, 0.99, 1.03)],
      [UPPER_LEFT, 'bird', 0.9, boxOf(0.1, 0.2, 0.3, 0.4)],
    ),
  );
  expect(rounded(merged)).toEqual([
    ['bird', 0.9, 0.1, 0.2, 0.3, 0.4],
    ['sports ball', 0.8, 0, 0.02, 0.99, 1],
  ]);
});

it('merges overlapping boxes of one name, but not of two names', () => {
  const merged = mergeViews(
    shown(
      [ROOM, 'cup', 0.7, boxOf(0.1, 0.1, 0.3, 0.3)],
      [ROOM, 'bowl', 0.66, boxOf(0.1, 0.1, 0.3, 0.3)],
      [UPPER_LEFT, 'cup', 0.9, boxOf(0.11, 0.1, 0.3, 0.31)],
    ),
  );
  expect(merged.map(({ name, score }) => [name, score])).toEqual([
    ['cup', 0.9],
    ['bowl', 0.66],
  ]);
});

it('drops objects with a low score, and objects that are cut off', () => {
  const merged = mergeViews(
    shown(
      [ROOM, 'cup', 0.6, boxOf(0.1, 0.1, 0.3, 0.3)],
      [UPPER_LEFT, 'cup', 0.9, boxOf(0.2, 0.1, 0.45, 0.3)],
      [UPPER_LEFT, 'vase', 0.9, boxOf(0, 0, 0.2, 0.3)],
    ),
  );
  expect(merged.map(({ name }) => name)).toEqual(['vase']);
});
