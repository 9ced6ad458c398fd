import { expect, it } from '@jest/globals';
import type { RunModel } from './model-request.js';
import { objectAt, outlineObjects, type ObjectBox } from './outline-objects.js';
import { MODEL_SIDE } from './subject-mask.js';

const [WIDTH, HEIGHT] = [400, 200];
const photo = { pixels: Buffer.alloc(WIDTH * HEIGHT * 4, 200), width: WIDTH, height: HEIGHT };

/** A model whose subject is its whole input. */
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

it('outlines objects within their boxes', async () => {
  const isIn = await masked([box(0.1, 0.2, 0.3, 0.8)], []);
  expect([isIn(0.2, 0.5), isIn(0.6, 0.5)]).toEqual([true, false]);
});

it('assigns overlapping boxes to the object with the nearer middle', async () => {
  const isIn = await masked([box(0.1, 0.1, 0.5, 0.9)], [box(0.4, 0.1, 0.8, 0.9)]);
  expect([isIn(0.2, 0.5), isIn(0.42, 0.5), isIn(0.48, 0.5), isIn(0.53, 0.5)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('keeps an object in front of the removed one', async () => {
  const isIn = await masked([box(0.1, 0.1, 0.9, 0.9)], [box(0.2, 0.4, 0.4, 0.8)]);
  expect([isIn(0.5, 0.5), isIn(0.3, 0.6), isIn(0.23, 0.6), isIn(0.3, 0.2)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

it('removes an object in front of a kept one', async () => {
  const isIn = await masked([box(0.4, 0.4, 0.6, 0.6)], [box(0.1, 0.1, 0.9, 0.9)]);
  expect([isIn(0.5, 0.5), isIn(0.41, 0.41), isIn(0.2, 0.2)]).toEqual([true, true, false]);
});

it('removes an object that has a second box', async () => {
  const isIn = await masked([box(0.3, 0.3, 0.7, 0.7)], [box(0.29, 0.31, 0.7, 0.69)]);
  expect(isIn(0.5, 0.5)).toBe(true);
});

it('removes the whole box when the model finds no subject', async () => {
  const seesNothing: RunModel = async (request) => {
    const answer = await seesAll(request);
    (answer.out!.data as Float32Array).fill(0);
    return answer;
  };
  const isIn = await masked([box(0.1, 0.2, 0.3, 0.8)], [], seesNothing);
  expect([isIn(0.2, 0.5), isIn(0.6, 0.5)]).toEqual([true, false]);
});

it('finds the object at a point by its outline, else takes the first box', async () => {
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
