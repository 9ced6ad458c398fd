import { expect, it } from '@jest/globals';
import { alphaOf, colourUnder, composeCutOut } from './cut-out-pixels';

const pixels = (...values: number[][]) => Uint8ClampedArray.from(values.flat());
/** An opaque pixel, a half-transparent edge pixel whose colour differs from the original, and a transparent pixel. */
const cutOut = () => pixels([10, 20, 30, 255], [200, 100, 0, 128], [0, 0, 0, 0]);
const original = pixels([11, 21, 31, 255], [100, 100, 100, 255], [50, 60, 70, 255]);
const compose = (mask: number[], from: Uint8ClampedArray | null = original) => {
  const image = cutOut();
  composeCutOut(image, from, Uint8Array.from(mask));
  return [...image];
};

it('changes nothing if the alpha is unchanged', () => {
  expect(alphaOf(cutOut())).toEqual(Uint8Array.of(255, 128, 0));
  expect(compose([255, 128, 0])).toEqual([...cutOut()]);
});

it('keeps the colours of the edge if more is erased', () => {
  expect(compose([0, 40, 0])).toEqual([10, 20, 30, 0, 200, 100, 0, 40, 0, 0, 0, 0]);
});

it('restores the original, and blends to its colours with growing opacity', () => {
  expect(compose([255, 255, 255]).slice(4)).toEqual([100, 100, 100, 255, 50, 60, 70, 255]);
  expect(compose([255, 192, 90]).slice(4)).toEqual([150, 100, 50, 192, 50, 60, 70, 90]);
});

it('restores nothing without the original', () => {
  expect(compose([255, 255, 255], null)).toEqual([...cutOut()]);
});

it('shows the pixel’s own colours under the eraser, if it has any', () => {
  const image = cutOut();
  colourUnder(image, original);
  expect([...image]).toEqual([10, 20, 30, 255, 200, 100, 0, 255, 50, 60, 70, 255]);
});
