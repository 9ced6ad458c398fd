import { expect, it } from '@jest/globals';
import sharp from 'sharp';
import { cutOut } from './cut-out.js';
import type { RunModel } from './model-request.js';
import { MODEL_SIDE } from './subject-mask.js';

const [WIDTH, HEIGHT] = [600, 400];
/** A red bar before a blue ground, from a quarter of the width to three quarters. */
const bar = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#2040c0' } })
  .composite([
    {
      input: { create: { width: WIDTH / 2, height: 40, channels: 3, background: '#c02010' } },
      left: WIDTH / 4,
      top: 180,
    },
  ])
  .png();

/** A model that takes what is red for the subject. */
const seesRed: RunModel = ({ input }) => {
  const colours = input['input.1']?.data as Float32Array;
  const size = MODEL_SIDE ** 2;
  const data = Float32Array.from({ length: size }, (_, i) => (colours[i]! > colours[2 * size + i]! ? 1 : 0));
  return Promise.resolve({
    out: { type: 'float32', data, dims: [1, 1, MODEL_SIDE, MODEL_SIDE] },
  });
};
const cutBy = async (model: RunModel) => {
  const { photo } = await cutOut(await bar.toBuffer(), undefined, () => undefined, model);
  return (x: number, y: number) => photo.pixels[(y * WIDTH + x) * 4 + 3];
};

it('cuts out what the model sees, to the pixel', async () => {
  const alphaAt = await cutBy(seesRed);
  expect([alphaAt(160, 200), alphaAt(440, 200), alphaAt(300, 185)]).toEqual([255, 255, 255]);
  expect([alphaAt(140, 200), alphaAt(460, 200), alphaAt(300, 170)]).toEqual([0, 0, 0]);
});

it('has the parts that are seen only from near', async () => {
  let looks = 0;
  const alphaAt = await cutBy(async (request) => {
    looks += 1;
    const answer = await seesRed(request);
    // The right end of the bar, from afar.
    if (looks === 1)
      answer.out!.data.forEach((_, i) => {
        if (i % MODEL_SIDE > MODEL_SIDE * 0.65) answer.out!.data[i] = 0;
      });
    return answer;
  });
  expect(looks).toBe(5);
  expect([alphaAt(160, 200), alphaAt(380, 200), alphaAt(440, 200)]).toEqual([255, 255, 255]);
  expect(alphaAt(460, 200)).toBe(0);
});
