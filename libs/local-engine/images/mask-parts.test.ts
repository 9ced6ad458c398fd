import { expect, it } from '@jest/globals';
import { maskParts } from './mask-parts.js';

function maskOf(width: number, height: number, ...boxes: [x: number, y: number, side: number][]) {
  const values = new Uint8Array(width * height);
  for (const [left, top, side] of boxes)
    for (let y = top; y < top + side; y += 1) values.fill(255, y * width + left, y * width + left + side);
  return { values, width, height };
}

it('are separate when they are far apart', () => {
  const parts = maskParts(maskOf(200, 100, [5, 5, 10], [150, 60, 20]));
  expect(parts.sort((a, b) => a.left - b.left)).toEqual([
    { left: 5, top: 5, width: 10, height: 10 },
    { left: 150, top: 60, width: 20, height: 20 },
  ]);
});

it('are one when they are near', () => {
  expect(maskParts(maskOf(200, 100, [10, 10, 20], [34, 10, 20]))).toEqual([
    { left: 10, top: 10, width: 44, height: 20 },
  ]);
});

it('cover everything painted in a large picture', () => {
  const [part] = maskParts(maskOf(3000, 2000, [1001, 503, 77]));
  expect(part!.left).toBeLessThanOrEqual(1001);
  expect(part!.left + part!.width).toBeGreaterThanOrEqual(1078);
  expect(part!.width).toBeLessThan(120);
});

it('are one when there are very many', () => {
  const specks = Array.from({ length: 20 }, (_, i): [number, number, number] => [i * 50, (i % 2) * 90, 2]);
  expect(maskParts(maskOf(1000, 100, ...specks))).toHaveLength(1);
});
