import type { Random } from './random.js';

/** Outlines as SVG path data, in pixels. Numbers are rounded to a tenth, which no eye sees and keeps files small. */
export const n = (value: number) => (Math.round(value * 10) / 10).toString();
const p = (x: number, y: number) => `${n(x)} ${n(y)}`;

/** The height of a line of land above its base at each of its equally spaced points. */
export function heights(random: Random, count: number, jagged: boolean): number[] {
  if (jagged) return jaggedHeights(random, count);
  const waves = Array.from({ length: 4 }, (_, k) => ({
    size: 1 / (k + 1.2),
    length: random.between(0.7, 1.4) * (k + 1),
    start: random.between(0, 7),
  }));
  return Array.from({ length: count }, (_, i) => {
    const sum = waves.reduce((s, w) => s + w.size * Math.sin(w.start + (i / count) * w.length * 6.3), 0);
    return 0.5 + sum / 4;
  });
}

/** Midpoint displacement: each half is bent by half as much. */
function jaggedHeights(random: Random, count: number): number[] {
  let line = [random.between(0.2, 0.6), random.between(0.6, 1), random.between(0.2, 0.7)];
  for (let bend = 0.34; line.length < count; bend *= 0.56) {
    line = line.flatMap((value, i) => {
      const next = line[i + 1];
      return next === undefined ? [value] : [value, (value + next) / 2 + random.between(-bend, bend)];
    });
  }
  return line;
}

/** Land between a line of heights and the bottom of the picture. */
export function land(
  line: number[],
  width: number,
  base: number,
  rise: number,
  bottom: number,
  smooth: boolean,
): string {
  const points = line.map((value, i): [number, number] => [
    (i / (line.length - 1)) * width,
    base - value * rise,
  ]);
  const start = points[0] as [number, number];
  const top = smooth
    ? points
        .slice(1)
        .map(([x, y], i) => {
          const [px, py] = points[i] as [number, number];
          return `Q${p(px, py)} ${p((px + x) / 2, (py + y) / 2)}`;
        })
        .join('') + `L${p(width, (points.at(-1) as [number, number])[1])}`
    : points
        .slice(1)
        .map(([x, y]) => `L${p(x, y)}`)
        .join('');
  return `M${p(start[0], start[1])}${top}L${p(width, bottom)}L${p(0, bottom)}Z`;
}

/** The ground under a tree or a person at x: where {@link land} of the same line has its upper edge. */
export function groundAt(line: number[], x: number, width: number, base: number, rise: number): number {
  const at = Math.min(Math.max((x / width) * (line.length - 1), 0), line.length - 1);
  const [left, right] = [line[Math.floor(at)] ?? 0, line[Math.ceil(at)] ?? 0];
  return base - (left + (right - left) * (at - Math.floor(at))) * rise;
}

export function pine(random: Random, x: number, base: number, height: number): string {
  const tiers = 5;
  let [left, right] = ['', ''];
  for (let k = 0; k < tiers; k += 1) {
    const y = base - height * (1 - k / tiers);
    const reach = height * (0.09 + 0.05 * k) * random.between(0.85, 1.15);
    const low = y + (height / tiers) * 1.15;
    left = `L${p(x - reach * 0.45, low - height * 0.05)}L${p(x - reach, low)}${left}`;
    right += `L${p(x + reach, low)}L${p(x + reach * 0.45, low - height * 0.05)}`;
  }
  const trunk = height * 0.03;
  return `M${p(x, base - height)}${right}L${p(x + trunk, base)}L${p(x - trunk, base)}${left}Z`;
}

/** A crown of leaves: overlapping discs. */
export function crown(random: Random, x: number, y: number, radius: number): string {
  return Array.from({ length: 9 }, (_, k) => {
    const [turn, out] = [(k / 9) * 6.283, k === 0 ? 0 : radius * 0.55];
    const r = radius * random.between(0.42, 0.58);
    return disc(x + Math.cos(turn) * out, y + Math.sin(turn) * out * 0.8, r);
  }).join('');
}

export const trunk = (x: number, base: number, height: number) =>
  `M${p(x - height * 0.06, base)}C${p(x - height * 0.03, base - height * 0.5)} ${p(x - height * 0.03, base - height * 0.7)} ${p(x - height * 0.02, base - height)}L${p(x + height * 0.03, base - height)}C${p(x + height * 0.02, base - height * 0.6)} ${p(x + height * 0.04, base - height * 0.3)} ${p(x + height * 0.08, base)}Z`;

export const disc = (x: number, y: number, r: number) =>
  `M${p(x - r, y)}a${n(r)} ${n(r)} 0 1 1 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 1 ${n(-2 * r)} 0Z`;

export const box = (x: number, y: number, width: number, height: number) =>
  `M${p(x, y)}h${n(width)}v${n(height)}h${n(-width)}Z`;

/** A cloud with a flat base: discs heaped up over a line, highest in the middle. */
export function cloud(random: Random, x: number, base: number, width: number): string {
  const puffs = 11;
  const discs = Array.from({ length: puffs }, (_, k) => {
    const along = (k + 0.5) / puffs;
    const swell = Math.sin(along * Math.PI) ** 0.8;
    const r = width * (0.05 + 0.1 * swell) * random.between(0.8, 1.2);
    return disc(x + (along - 0.5) * width, base - r - width * 0.07 * swell * random.between(0, 1.4), r);
  });
  return `${discs.join('')}${box(x - width * 0.46, base - width * 0.07, width * 0.92, width * 0.07)}`;
}

/** Two wings, as a child draws a bird far away. */
export const gull = (x: number, y: number, s: number) =>
  `M${p(x - s, y - s * 0.25)}q${p(s * 0.55, -s * 0.35)} ${p(s, s * 0.25)}q${p(s * 0.45, -s * 0.6)} ${p(s, -s * 0.25)}q${p(-s * 0.55, -s * 0.12)} ${p(-s, s * 0.5)}q${p(-s * 0.45, -s * 0.62)} ${p(-s, -s * 0.5)}Z`;

/** A standing form with a head and a long coat. */
export const figure = (x: number, base: number, h: number) =>
  `${disc(x, base - h * 0.88, h * 0.105)}M${p(x - h * 0.07, base - h * 0.76)}C${p(x - h * 0.2, base - h * 0.7)} ${p(x - h * 0.2, base - h * 0.3)} ${p(x - h * 0.22, base)}L${p(x + h * 0.2, base)}C${p(x + h * 0.19, base - h * 0.3)} ${p(x + h * 0.2, base - h * 0.7)} ${p(x + h * 0.07, base - h * 0.76)}Z`;

/** A sitting form with two ears and a tail. */
export const beast = (x: number, base: number, h: number) =>
  `M${p(x - h * 0.3, base)}C${p(x - h * 0.42, base - h * 0.45)} ${p(x - h * 0.2, base - h * 0.6)} ${p(x - h * 0.16, base - h * 0.68)}C${p(x - h * 0.22, base - h * 0.8)} ${p(x - h * 0.2, base - h * 0.9)} ${p(x - h * 0.19, base - h)}L${p(x - h * 0.06, base - h * 0.9)}L${p(x + h * 0.06, base - h * 0.9)}L${p(x + h * 0.19, base - h)}C${p(x + h * 0.2, base - h * 0.9)} ${p(x + h * 0.22, base - h * 0.8)} ${p(x + h * 0.16, base - h * 0.68)}C${p(x + h * 0.24, base - h * 0.55)} ${p(x + h * 0.34, base - h * 0.3)} ${p(x + h * 0.28, base - h * 0.06)}C${p(x + h * 0.5, base - h * 0.1)} ${p(x + h * 0.52, base - h * 0.3)} ${p(x + h * 0.47, base - h * 0.44)}C${p(x + h * 0.62, base - h * 0.3)} ${p(x + h * 0.6, base)} ${p(x + h * 0.3, base)}Z`;

export const hull = (x: number, y: number, s: number) =>
  `M${p(x - s, y - s * 0.18)}L${p(x + s, y - s * 0.18)}Q${p(x + s * 0.8, y + s * 0.16)} ${p(x + s * 0.55, y + s * 0.16)}L${p(x - s * 0.6, y + s * 0.16)}Q${p(x - s * 0.85, y + s * 0.1)} ${p(x - s, y - s * 0.18)}Z`;

export const sail = (x: number, y: number, s: number) =>
  `M${p(x - s * 0.04, y - s * 0.26)}L${p(x - s * 0.04, y - s * 1.7)}Q${p(x - s * 0.75, y - s * 0.8)} ${p(x - s * 0.72, y - s * 0.26)}ZM${p(x + s * 0.05, y - s * 0.26)}L${p(x + s * 0.05, y - s * 1.5)}Q${p(x + s * 0.55, y - s * 0.8)} ${p(x + s * 0.7, y - s * 0.26)}Z`;

/** A four-pointed sparkle. */
export const sparkle = (x: number, y: number, r: number) =>
  `M${p(x, y - r)}Q${p(x, y)} ${p(x + r, y)}Q${p(x, y)} ${p(x, y + r)}Q${p(x, y)} ${p(x - r, y)}Q${p(x, y)} ${p(x, y - r)}Z`;

/** A tall crystal with a point. */
export const crystal = (x: number, base: number, h: number, lean: number) =>
  `M${p(x - h * 0.13, base)}L${p(x - h * 0.15 + lean, base - h * 0.7)}L${p(x + lean * 1.3, base - h)}L${p(x + h * 0.15 + lean, base - h * 0.66)}L${p(x + h * 0.13, base)}Z`;
