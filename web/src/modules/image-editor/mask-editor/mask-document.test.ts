import { expect, it, jest } from '@jest/globals';
import type { Brush } from './brush';
import { MaskDocument } from './mask-document';

const size = { width: 700, height: 520 };
const brush: Brush = { radius: 20, hardness: 1, adds: true };
const point = (x: number, y: number) => ({ x, y });

/** Compares large arrays thousands of times faster than `toEqual`. */
const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.from(one).equals(other);

function stroke(mask: MaskDocument, x: number, y: number, changes: Partial<Brush> = {}): void {
  mask.paint(point(x, y), point(x + 50, y), { ...brush, ...changes });
  mask.paint(point(x + 50, y), point(x + 90, y + 30), { ...brush, ...changes });
  mask.commit();
}

it('undoes and redoes whole strokes, to the exact pixels', () => {
  const mask = new MaskDocument(size);
  const states = [mask.pixels.slice()];
  for (const [x, y] of [
    [30, 40],
    [230, 240],
    [600, 500],
  ] as const) {
    stroke(mask, x, y);
    states.push(mask.pixels.slice());
  }
  stroke(mask, 240, 240, { adds: false });
  states.push(mask.pixels.slice());
  for (const state of states.slice(0, -1).reverse()) {
    mask.undo();
    expect(isSame(mask.pixels, state)).toBe(true);
  }
  expect([mask.canUndo, mask.canRedo, mask.isEmpty]).toEqual([false, true, true]);
  for (const state of states.slice(1)) {
    mask.redo();
    expect(isSame(mask.pixels, state)).toBe(true);
  }
  mask.undo();
  stroke(mask, 10, 10);
  expect(mask.canRedo).toBe(false);
});

it('ignores a stroke without changes', () => {
  const mask = new MaskDocument(size);
  stroke(mask, 30, 40);
  const before = mask.pixels.slice();
  mask.paint(point(100, 100), point(300, 300), brush);
  mask.cancel();
  expect(isSame(mask.pixels, before)).toBe(true);
  expect(mask.steps).toBe(1);
});

it('drops the oldest strokes when they take too much memory, but never the last one', () => {
  const noise = Uint8Array.from({ length: size.width * size.height }, (_, i) => i % 251);
  const mask = new MaskDocument(size, noise, 3 * 256 * 256);
  for (let i = 0; i < 20; i += 1) stroke(mask, 20, 20 + i);
  expect(mask.steps).toBe(3);
  mask.reset();
  expect(mask.steps).toBe(1);
  mask.undo();
  expect(isSame(mask.pixels, noise)).toBe(false);
});

it('stores uniform squares in little memory', () => {
  const mask = new MaskDocument(size, null, 1_000);
  for (let i = 0; i < 20; i += 1) {
    mask.fill({ left: 0, top: 0, right: size.width, bottom: size.height }, i % 2 === 0 ? 255 : 0);
  }
  expect(mask.steps).toBe(20);
  mask.undo();
  expect(mask.pixels.every((value) => value === 255)).toBe(true);
});

it('fills boxes, and is reset to its initial state', () => {
  const initial = new Uint8Array(size.width * size.height).fill(100);
  const mask = new MaskDocument(size, initial);
  mask.fill({ left: -10, top: 3, right: 12.5, bottom: 5 }, 255);
  expect([...mask.pixels.subarray(3 * 700, 3 * 700 + 14)]).toEqual([...Array<number>(13).fill(255), 100]);
  mask.fill({ left: 800, top: 0, right: 900, bottom: 5 }, 255);
  expect(mask.steps).toBe(1);
  mask.reset();
  expect(isSame(mask.pixels, initial)).toBe(true);
});

it('knows whether it is empty after every kind of change', () => {
  const mask = new MaskDocument(size);
  const emptiness: boolean[] = [];
  const check = () => {
    emptiness.push(mask.isEmpty);
    expect(mask.isEmpty).toBe(!mask.pixels.some((value) => value > 0));
  };
  const whole = { left: 0, top: 0, ...{ right: size.width, bottom: size.height } };
  for (const change of [
    () => undefined,
    () => stroke(mask, 600, 500),
    () => stroke(mask, 600, 500, { adds: false, radius: 40 }),
    () => mask.undo(),
    () => mask.redo(),
    () => mask.paint(point(5, 5), point(5, 5), brush),
    () => mask.cancel(),
    () => mask.fill(whole, 255),
    () => mask.reset(),
    () => mask.setFound({ width: 1, height: 1, pixels: Uint8Array.of(9), name: 'cup' }),
    () => mask.setFound(null),
    () => mask.load(new Uint8Array(size.width * size.height).fill(1, -1), null),
  ]) {
    change();
    check();
  }
  expect(emptiness).toEqual([true, false, true, false, true, false, true, false, true, false, true, false]);
});

it('replaces the earlier found area by a new one, and keeps manual changes', () => {
  const found = (values: number[], name: string) => ({
    ...{ width: 2, height: 1, name },
    pixels: Uint8Array.from(values),
  });
  const mask = new MaskDocument({ width: 8, height: 2 });
  mask.fill({ left: 7, top: 0, right: 8, bottom: 2 }, 255);
  mask.setFound(found([255, 0], 'cup'));
  const row = () => [...mask.pixels.subarray(0, 8)];
  // The found mask has two pixels per row; interpolated to eight, its values fade.
  expect(row()).toEqual([255, 255, 223, 159, 96, 32, 0, 255]);
  mask.fill({ left: 0, top: 0, right: 1, bottom: 2 }, 0);
  mask.setFound(null);
  expect(row()).toEqual([0, 0, 0, 0, 0, 0, 0, 255]);
  mask.undo();
  expect([mask.found?.name, row()[0], row()[1]]).toEqual(['cup', 0, 255]);
  mask.redo();
  expect(mask.found).toBeNull();
  mask.setFound(null);
  expect(mask.steps).toBe(4);
});

it('reports changed pixels, each step once', () => {
  const mask = new MaskDocument(size);
  const onPaint = jest.fn();
  const onStep = jest.fn();
  mask.onPaint(onPaint);
  const stop = mask.onStep(onStep);
  mask.paint(point(100, 100), point(110, 100), brush);
  expect(onPaint.mock.calls).toEqual([[{ left: 79, top: 79, right: 131, bottom: 121 }]]);
  expect(onStep).not.toHaveBeenCalled();
  mask.commit();
  mask.commit();
  expect(onStep).toHaveBeenCalledTimes(1);
  stop();
  mask.undo();
  expect(onStep).toHaveBeenCalledTimes(1);
});

it('continues with an existing mask', () => {
  const mask = new MaskDocument({ width: 2, height: 1 });
  mask.load(Uint8Array.of(0, 255), null);
  expect([mask.isEmpty, mask.canUndo, mask.revision]).toEqual([false, false, 1]);
});
