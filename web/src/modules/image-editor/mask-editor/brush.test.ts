import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { paintSegment, segmentRect, type Brush, type MaskPixels } from './brush';

const brushOf = (changes: Partial<Brush> = {}): Brush => ({
  radius: 4,
  hardness: 1,
  adds: true,
  ...changes,
});

function blank(width = 40, height = 30, value = 0) {
  const mask = { width, height, pixels: new Uint8Array(width * height).fill(value) };
  const at = (x: number, y: number) => mask.pixels[y * width + x];
  return { mask, at };
}

it('paints a dot at a point, and a band along a line', () => {
  const { mask, at } = blank();
  paintSegment(mask, { x: 8, y: 8 }, { x: 8, y: 8 }, brushOf());
  expect([at(8, 8), at(5, 8), at(8, 5), at(3, 8), at(5, 5)]).toEqual([255, 255, 255, 0, expect.any(Number)]);
  paintSegment(mask, { x: 10, y: 20 }, { x: 30, y: 20 }, brushOf());
  expect([at(10, 20), at(20, 17), at(20, 22), at(30, 20), at(20, 15), at(36, 20)]).toEqual([
    255, 255, 255, 255, 0, 0,
  ]);
});

it('fades from its core to its rim, and applies the strongest value', () => {
  const { mask, at } = blank();
  const soft = brushOf({ radius: 10, hardness: 0.3 });
  paintSegment(mask, { x: 20.5, y: 15.5 }, { x: 20.5, y: 15.5 }, soft);
  const row = Array.from({ length: 12 }, (_, i) => at(20 + i, 15) ?? 0);
  expect(row.slice(0, 3)).toEqual([255, 255, 255]);
  expect(row.every((value, i) => i === 0 || value <= (row[i - 1] ?? 0))).toBe(true);
  expect(row.at(-1)).toBe(0);
  const before = mask.pixels.slice();
  paintSegment(mask, { x: 20.5, y: 15.5 }, { x: 20.5, y: 15.5 }, soft);
  expect(mask.pixels).toEqual(before);
});

it('erases as softly as it adds', () => {
  const added = blank();
  const taken = blank(40, 30, 255);
  const [from, to] = [
    { x: 6, y: 7 },
    { x: 25, y: 18 },
  ];
  paintSegment(added.mask, from, to, brushOf({ hardness: 0.5 }));
  paintSegment(taken.mask, from, to, brushOf({ hardness: 0.5, adds: false }));
  expect(taken.mask.pixels).toEqual(added.mask.pixels.map((value) => 255 - value));
});

it('changes only pixels near the line, wherever it runs', () => {
  const place = fc.record({
    x: fc.double({ min: -20, max: 60, noNaN: true }),
    y: fc.double({ min: -20, max: 50, noNaN: true }),
  });
  fc.assert(
    fc.property(
      place,
      place,
      fc.double({ min: 0.5, max: 30, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (from, to, radius, hardness) => {
        const { mask, at } = blank();
        const brush = brushOf({ radius, hardness });
        paintSegment(mask, from, to, brush);
        const rect = segmentRect(from, to, brush, mask);
        for (let y = 0; y < mask.height; y += 1)
          for (let x = 0; x < mask.width; x += 1) {
            const distance = distanceTo({ x: x + 0.5, y: y + 0.5 }, from, to);
            const value = at(x, y) ?? 0;
            if (distance < radius * hardness - 0.51 && value !== 255) return false;
            const inside = x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom;
            if ((distance > radius + 0.51 || !inside) && value !== 0) return false;
          }
        return true;
      },
    ),
    { numRuns: 60 },
  );
});

function distanceTo(point: Place, from: Place, to: Place): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length2;
  const nearest = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - from.x - nearest * dx, point.y - from.y - nearest * dy);
}

type Place = Record<'x' | 'y', number>;

it('paints nothing outside the picture', () => {
  const mask: MaskPixels = { width: 3, height: 2, pixels: new Uint8Array(6) };
  paintSegment(mask, { x: -50, y: -50 }, { x: -40, y: 60 }, brushOf());
  expect([...mask.pixels]).toEqual([0, 0, 0, 0, 0, 0]);
});
