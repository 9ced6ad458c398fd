import { expect, it } from '@jest/globals';
import type { RunModel } from './model-request.js';
import { objectAt, outlineObjects, type ObjectBox } from './outline-objects.js';
import { MODEL_SIDE } from './subject-mask.js';

const [WIDTH, HEIGHT] = [400, 200];
const photo = { pixels: Buffer.alloc(WIDTH * HEIGHT * 4, 200), width: WIDTH, height: HEIGHT };

/** A model that takes everything it is shown for the subject. */
const seesAll: RunModel = async () => ({
  out: {
    type: 'float32',
    data: new Float32Array(MODEL_SIDE * MODEL_SIDE).fill(0.9),
    dims: [1, 1, MODEL_SIDE, MODEL_SIDE],
  },
});
const box = (left: number, top: number, right: number, bottom: number): ObjectBox => ({
  left,
  top,
  right,
  bottom,
});
async function masked(chosen: ObjectBox[], others: ObjectBox[], model = seesAll) {
  const { mask } = await outlineObjects(photo, { chosen, others }, model);
  return (x: number, y: number) =>
    mask.values[Math.round(y * HEIGHT) * WIDTH + Math.round(x * WIDTH)] === 255;
}

it('are outlined within their boxes', async () => {
  const isIn = await masked([box(0.1, 0.2, 0.3, 0.8)], []);
  expect([isIn(0.2, 0.5), isIn(0.6, 0.5)]).toEqual([true, false]);
});

it('leave what stays, where two boxes overlap, to the nearer middle', async () => {
  const isIn = await masked([box(0.1, 0.1, 0.5, 0.9)], [box(0.4, 0.1, 0.8, 0.9)]);
  expect([isIn(0.2, 0.5), isIn(0.42, 0.5), isIn(0.48, 0.5), isIn(0.53, 0.5)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('leave what stands before them', async () => {
  const isIn = await masked([box(0.1, 0.1, 0.9, 0.9)], [box(0.2, 0.4, 0.4, 0.8)]);
  expect([isIn(0.5, 0.5), isIn(0.3, 0.6), isIn(0.23, 0.6), isIn(0.3, 0.2)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

it('are taken out of what they stand before', async () => {
  const isIn = await masked([box(0.4, 0.4, 0.6, 0.6)], [box(0.1, 0.1, 0.9, 0.9)]);
  expect([isIn(0.5, 0.5), isIn(0.41, 0.41), isIn(0.2, 0.2)]).toEqual([true, true, false]);
});

it('do not vanish because another box lies on the same thing', async () => {
  const isIn = await masked([box(0.3, 0.3, 0.7, 0.7)], [box(0.29, 0.31, 0.7, 0.69)]);
  expect(isIn(0.5, 0.5)).toBe(true);
});

it('are removed with their whole box where the model sees nothing', async () => {
  const seesNothing: RunModel = async (request) => {
    const answer = await seesAll(request);
    (answer.out!.data as Float32Array).fill(0);
    return answer;
  };
  const isIn = await masked([box(0.1, 0.2, 0.3, 0.8)], [], seesNothing);
  expect([isIn(0.2, 0.5), isIn(0.6, 0.5)]).toEqual([true, false]);
});

it('at a point are told by their outlines, and else by the first box', async () => {
  const boxes = [box(0.4, 0.4, 0.6, 0.6), box(0.1, 0.1, 0.9, 0.9)];
  const point = { x: 0.5, y: 0.5 };
  let asked = 0;
  const seesTheSecond: RunModel = async (request) => {
    asked += 1;
    const answer = await seesAll(request);
    if (asked === 1) (answer.out!.data as Float32Array).fill(0.3);
    return answer;
  };
  expect(await objectAt(photo, boxes, point, seesAll)).toBe(0);
  expect(await objectAt(photo, boxes, point, seesTheSecond)).toBe(1);
  expect(asked).toBe(2);
  const seesNothing: RunModel = async (request) => {
    const answer = await seesAll(request);
    (answer.out!.data as Float32Array).fill(0);
    return answer;
  };
  expect(await objectAt(photo, boxes, point, seesNothing)).toBe(0);
});
