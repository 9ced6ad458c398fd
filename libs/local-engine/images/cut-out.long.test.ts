import { expect, it } from '@jest/globals';
import sharp from 'sharp';
import { cutOut } from './cut-out.js';
import { uNetInput } from '#libs/models/segmentation-input.js';
import type { RunModel } from './model-request.js';
import { MODEL_SIDE } from './subject-mask.js';

const [WIDTH, HEIGHT] = [600, 400];
/** A red bar in the middle of a blue ground, with the grain of a photograph. */
const redBar = (width: number, height: number, ground = { width: WIDTH, height: HEIGHT }) => {
  const noise = { type: 'gaussian', mean: 20, sigma: 10 } as const;
  return sharp({ create: { ...ground, channels: 3, background: '#2040c0' } })
    .composite([
      { input: { create: { width, height, channels: 3, background: '#c02010' } } },
      { input: { create: { ...ground, channels: 3, noise, background: '#888' } }, blend: 'add' },
    ])
    .png()
    .toBuffer();
};
/** A bar from a quarter of the width to three quarters. */
const bar = await redBar(WIDTH / 2, 40);

/** A model whose subject is everything red. */
const seesRed: RunModel = ({ input }) => {
  const colours = input['picture']?.data as Float32Array;
  const size = MODEL_SIDE ** 2;
  const data = Float32Array.from({ length: size }, (_, i) => (colours[i]! > colours[2 * size + i]! ? 1 : 0));
  return Promise.resolve({
    out: { type: 'float32', data, dims: [1, 1, MODEL_SIDE, MODEL_SIDE] },
  });
};
const cutBy = async (runModel: RunModel, picture = bar, input = uNetInput) => {
  const { photo } = await cutOut(picture, undefined, () => undefined, { runModel, input });
  return (x: number, y: number) => photo.pixels[(y * photo.width + x) * 4 + 3];
};

it('cuts out the subject of the model, to the pixel', async () => {
  const alphaAt = await cutBy(seesRed);
  expect([alphaAt(160, 200), alphaAt(440, 200), alphaAt(300, 185)]).toEqual([255, 255, 255]);
  expect([alphaAt(140, 200), alphaAt(460, 200), alphaAt(300, 170)]).toEqual([0, 0, 0]);
});

it('contains parts that the model finds only in the subject’s area', async () => {
  let runs = 0;
  const alphaAt = await cutBy(async (request) => {
    runs += 1;
    const answer = await seesRed(request);
    // The first run, on the whole picture, misses the right end of the bar.
    if (runs === 1)
      answer.out!.data.forEach((_, i) => {
        if (i % MODEL_SIDE > MODEL_SIDE * 0.65) answer.out!.data[i] = 0;
      });
    return answer;
  });
  expect(runs).toBe(5);
  expect([alphaAt(160, 200), alphaAt(380, 200), alphaAt(440, 200)]).toEqual([255, 255, 255]);
  expect(alphaAt(460, 200)).toBe(0);
});

it('contains uncertain parts with the colours of the subject', async () => {
  const alphaAt = await cutBy(
    async (request) => {
      const answer = await seesRed(request);
      answer.out!.data.forEach((value, i) => {
        if (value === 1 && i % MODEL_SIDE > MODEL_SIDE * 0.8) answer.out!.data[i] = 0.45;
      });
      return answer;
    },
    await redBar(140, 80, { width: 150, height: 100 }),
  );
  expect([alphaAt(20, 50), alphaAt(110, 50), alphaAt(130, 50)]).toEqual([255, 255, 255]);
  expect([alphaAt(148, 50), alphaAt(110, 4)]).toEqual([0, 0]);
});
