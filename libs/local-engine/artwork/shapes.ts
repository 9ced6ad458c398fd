import type { Random } from '../random.js';

/** Formats a number of an SVG path, rounded to a tenth of a pixel. */
export const n = (value: number) => (Math.round(value * 10) / 10).toString();
const p = (x: number, y: number) => `${n(x)} ${n(y)}`;

export type Point = readonly [x: number, y: number];

export const polygon = (...points: readonly Point[]) => `M${points.map(([x, y]) => p(x, y)).join('L')}Z`;

const disc = (x: number, y: number, r: number) =>
  `M${p(x - r, y)}a${n(r)} ${n(r)} 0 1 1 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 1 ${n(-2 * r)} 0Z`;

/** Scales a path of absolute coordinates and circles (`O x y r`), and moves its origin to x, y. */
export const placePath = (unit: string, x: number, y: number, sx: number, sy = Math.abs(sx)) =>
  unit.replace(/O(\S+) (\S+) ([\d.]+)|(-?[\d.]+) (-?[\d.]+)/g, (_, cx, cy, r, px, py) =>
    r ? disc(x + cx * sx, y + cy * sy, r * sy) : p(x + px * sx, y + py * sy),
  );

/** Joins the results of `draw` for the numbers from 0 to `count` - 1. */
export const repeat = (count: number, draw: (k: number) => string) =>
  Array.from({ length: count }, (_, k) => draw(k)).join('');

/** Random upper edge of land, as points from left to right, between `base` and about `rise` above `base`. */
export function landLine(
  random: Random,
  jagged: boolean,
  width: number,
  base: number,
  rise: number,
): Point[] {
  let heights = Array.from({ length: jagged ? 3 : 5 }, (_, k) => random.between(0.1, 0.55) + (k % 2) * 0.4);
  // Midpoint displacement: each round moves the new midpoints by about half as much as the round before.
  for (let reach = 0.34; heights.length < 129; reach *= 0.56)
    heights = heights.flatMap((value, i) => {
      const next = heights[i + 1];
      return next === undefined ? [value] : [value, (value + next) / 2 + random.between(-reach, reach)];
    });
  const window = jagged ? 0 : 8;
  return heights.map((_, i) => {
    const near = heights.slice(Math.max(0, i - window), i + window + 1);
    const height = near.reduce((sum, value) => sum + value) / near.length;
    return [width * (i / 117 - 0.05), base - height * rise];
  });
}

export const groundAt = (line: readonly Point[], x: number) => line.find(([px]) => px >= x)?.[1] ?? 0;

/** The area between a line and a lower edge. `thickness` gives the distance of the lower edge at each point. */
export function strip(line: readonly Point[], thickness: (y: number, i: number) => number): string {
  const edge = line.map(([x, y], i): Point => [x, y + Math.max(0, thickness(y, i))]);
  return polygon(...line, ...edge.reverse());
}
