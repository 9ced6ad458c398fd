import { expect, it } from '@jest/globals';
import { blurBehind, blurValues, toShadow } from './blur';

const size = { width: 21, height: 21 };
const middle = 10 * 21 + 10;

it('blurs equally in all directions, and keeps the sum', () => {
  const values = new Float32Array(21 * 21);
  values[middle] = 1_000;
  blurValues(values, size, 1, 2);
  expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1_000, 0);
  expect(values[middle - 3]).toBeCloseTo(values[middle + 3 * 21]!, 4);
  expect(values[middle]).toBeGreaterThan(values[middle + 1]!);
});

it('makes a shadow of the given strength from the alpha only', () => {
  const pixels = new Uint8ClampedArray(21 * 21 * 4).fill(255);
  toShadow(pixels, size, 3, 0.4);
  expect([...pixels.slice(4 * middle, 4 * middle + 4)]).toEqual([0, 0, 0, 102]);
});

it('keeps the colours of the subject out of the blurred background', () => {
  const photo = new Uint8ClampedArray(21 * 21 * 4);
  const cutOut = new Uint8ClampedArray(21 * 21 * 4);
  for (let i = 0; i < 21 * 21; i += 1) {
    const isSubject = i % 21 > 7 && i % 21 < 13;
    photo.set(isSubject ? [255, 0, 0, 255] : [0, 0, 255, 255], 4 * i);
    cutOut[4 * i + 3] = isSubject ? 255 : 0;
  }
  blurBehind(photo, cutOut, size, 3);
  expect(photo[4 * (middle + 3)]!).toBeLessThan(8);
  expect(photo[4 * (middle + 3) + 2]!).toBeGreaterThan(247);
});
