import { expect, it } from '@jest/globals';
import { wholeOf } from './area.js';
import { findDoubt } from './doubt.js';
import { MODEL_SIDE, type Likelihood } from './subject-mask.js';

const [WIDTH, HEIGHT] = [400, 300];
type Test = (x: number, y: number) => number;

/** A likelihood by a function of the place, in shares of the picture. */
const likelihood = (of: Test): Likelihood => ({
  area: wholeOf({ width: WIDTH, height: HEIGHT }),
  values: Float32Array.from({ length: MODEL_SIDE ** 2 }, (_, i) =>
    of((i % MODEL_SIDE) / MODEL_SIDE, Math.floor(i / MODEL_SIDE) / MODEL_SIDE),
  ),
});
function cutOut(of: Test) {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 4, 90);
  for (let i = 0; i < WIDTH * HEIGHT; i += 1)
    pixels[i * 4 + 3] = 255 * of((i % WIDTH) / WIDTH, Math.floor(i / WIDTH) / HEIGHT);
  return { width: WIDTH, height: HEIGHT, pixels };
}
const body: Test = (x, y) => (x > 0.3 && x < 0.6 && y > 0.3 && y < 0.9 ? 1 : 0);
const arm: Test = (x, y) => (x > 0.6 && x < 0.8 && y > 0.3 && y < 0.4 ? 1 : 0);
const both: Test = (x, y) => Math.max(body(x, y), arm(x, y));

it('finds no doubt where all results agree', () => {
  const subject = likelihood(both);
  expect(findDoubt(cutOut(both), { runs: [subject, subject], subject })).toBeNull();
});

it.each([
  ['was lost', { runs: [likelihood(both), likelihood(body)], subject: likelihood(body) }, body],
  [
    'is undecided',
    { runs: [likelihood(both)], subject: likelihood((x, y) => body(x, y) + arm(x, y) / 2) },
    both,
  ],
  ['only a close-up shows', { runs: [likelihood(body), likelihood(both)], subject: likelihood(both) }, both],
])('finds a part that %s', (_, findings, result) => {
  const box = findDoubt(cutOut(result), findings);
  expect(box?.left).toBeCloseTo(0.58, 1);
  expect(box?.right).toBeCloseTo(0.82, 1);
  expect(box?.top).toBeCloseTo(0.28, 1);
  expect(box?.bottom).toBeCloseTo(0.42, 1);
});

it('does not doubt a soft rim', () => {
  const soft: Test = (x, y) => Math.min(1, Math.max(0, (0.25 - Math.hypot(x - 0.5, y - 0.5)) * 100));
  const subject = likelihood(soft);
  expect(findDoubt(cutOut(soft), { runs: [subject], subject })).toBeNull();
});
