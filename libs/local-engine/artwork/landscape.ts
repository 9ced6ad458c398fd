import { darker, lighter, mix } from './colour.js';
import type { Random } from './random.js';
import * as shapes from './shapes.js';
import { groundAt, heights, land, n } from './shapes.js';
import type { Studio } from './studio.js';

/** What lies between the horizon and the land in front. */

export function ridges({ scene, palette, random, frame, composition, items }: Studio): void {
  const { width, height } = frame;
  const mountains = scene.themes.has('mountains');
  if (scene.themes.has('sea') && !mountains && !scene.themes.has('forest')) return;
  const count = mountains ? composition.ridges : Math.max(2, composition.ridges - 2);
  for (let k = 0; k < count; k += 1) {
    const depth = (k / count) * 0.5;
    const rise = height * (mountains ? composition.rise * (1 - k / (count + 0.6)) : 0.09);
    const base = height * (composition.horizon + 0.012 + 0.02 * k);
    const jagged = mountains && composition.jagged;
    const line = heights(random, jagged ? 129 : 60, jagged);
    const fill = mix(palette.far, palette.near, depth);
    items.push({ kind: 'ridge', d: land(line, width, base, rise, height, !jagged), fill, depth });
    if (mountains && k === 0) {
      const d = snowcap(line, width, base, rise, random);
      if (d)
        items.push({ kind: 'snowcap', d, fill: lighter(mix(palette.cloud, palette.far, 0.1), 0.15), depth });
    }
    const wooded = scene.themes.has('forest') && k >= count - 2;
    if (wooded) woods({ palette, random, frame, items }, line, base, rise, depth);
  }
}

/** Snow on all that rises above two thirds of the highest peak, with a ragged lower edge. */
function snowcap(line: number[], width: number, base: number, rise: number, random: Random): string {
  const limit = Math.max(...line) * 0.66;
  const at = (i: number) => (i / (line.length - 1)) * width;
  let d = '';
  for (let i = 0; i < line.length; i += 1) {
    if ((line[i] as number) <= limit) continue;
    const start = i;
    while (i + 1 < line.length && (line[i + 1] as number) > limit) i += 1;
    if (i - start < 2) continue;
    const top = line.slice(start, i + 1).map((value, k) => `${n(at(start + k))} ${n(base - value * rise)}`);
    const edge = line
      .slice(start, i + 1)
      .map((value, k) => {
        const low = limit + (value - limit) * (k % 2 ? 0.15 : 0.62) * random.between(0.8, 1.1);
        return `${n(at(start + k))} ${n(base - Math.min(low, value) * rise)}`;
      })
      .reverse();
    d += `M${[...top, ...edge].join('L')}Z`;
  }
  return d;
}

/** A row of small trees along a line of land. */
function woods(
  { palette, random, frame, items }: Pick<Studio, 'palette' | 'random' | 'frame' | 'items'>,
  line: number[],
  base: number,
  rise: number,
  depth: number,
): void {
  const tall = frame.height * (0.035 + depth * 0.07);
  let d = '';
  for (let x = -tall; x < frame.width + tall; x += tall * random.between(0.18, 0.42)) {
    const y = groundAt(line, x, frame.width, base, rise) + tall * 0.12;
    d += shapes.pine(random, x, y, tall * random.between(0.6, 1.15));
  }
  const fill = mix(palette.far, palette.foliage[0], 0.35 + depth * 0.6);
  items.push({ kind: 'leaves', d, fill, depth: depth + 0.03 });
}

export function city({ scene, palette, random, frame, composition, items }: Studio): void {
  const { width, height } = frame;
  const base = height * (composition.horizon + 0.05);
  for (const [row, tall] of [0.3, 0.22].entries()) {
    const fill = mix(palette.far, darker(palette.near, 0.35), 0.25 + row * 0.5);
    let [walls, windows] = ['', ''];
    for (let x = -width * 0.02; x < width;) {
      const w = width * random.between(0.035, 0.085);
      const centre = 1 - Math.abs((x + w / 2) / width - 0.5) * 1.1;
      const h = height * tall * centre * random.between(0.45, 1.15);
      walls += shapes.box(x, base - h, w, h + height * 0.1);
      if (random.chance(0.3))
        walls += shapes.box(x + w * 0.45, base - h - height * 0.035, w * 0.06, height * 0.04);
      if (random.chance(0.3))
        walls += shapes.box(x + w * 0.2, base - h - height * 0.012, w * 0.6, height * 0.02);
      const pane = width * 0.0075;
      for (let wx = x + pane; wx < x + w - pane * 1.4; wx += pane * 2)
        for (let wy = base - h + pane * 1.5; wy < base - pane * 2; wy += pane * 2.4)
          if (random.chance(scene.time === 'day' ? 0.35 : 0.5))
            windows += shapes.box(wx, wy, pane, pane * 1.3);
      x += w * random.between(0.86, 1);
    }
    items.push({ kind: 'skyline', d: walls, fill, depth: 0.2 + row * 0.15 });
    const glass = scene.time === 'day' ? mix(fill, palette.sky[2], 0.55) : palette.light;
    items.push({
      kind: 'window',
      d: windows,
      fill: mix(fill, glass, row ? 0.95 : 0.6),
      depth: 0.2 + row * 0.15,
    });
  }
}

export function water({ scene, palette, random, frame, composition, items }: Studio): void {
  const { width, height } = frame;
  const top = height * (composition.horizon + (scene.themes.has('sea') ? 0.03 : 0.075));
  items.push({
    kind: 'water',
    d: shapes.box(0, top, width, height - top),
    fill: palette.water[0],
    depth: 0.4,
  });
  for (const [share, colour] of [
    [0.5, lighter(palette.water[0], 0.3)],
    [0.5, palette.water[1]],
  ] as const) {
    let d = '';
    for (let k = 0; k < 90 * share; k += 1) {
      const near = random.between(0, 1) ** 1.6;
      const y = top + 4 + near * (height - top);
      const length = width * (0.02 + near * 0.13) * random.between(0.5, 1.3);
      const thick = height * (0.0012 + near * 0.006);
      const x = random.between(-0.1, 1) * width;
      d += `M${n(x)} ${n(y)}q${n(length / 2)} ${n(-thick * 2)} ${n(length)} 0q${n(-length / 2)} ${n(thick)} ${n(-length)} 0Z`;
    }
    items.push({ kind: 'glint', d, fill: colour, depth: 0.5 });
  }
}

export function boat({ palette, random, frame, composition, items }: Studio): void {
  const size = frame.width * 0.085 * composition.scale;
  const x = frame.width * random.between(0.3, 0.7);
  const y = frame.height * (composition.horizon + 0.14);
  items.push({ kind: 'sail', d: shapes.sail(x, y, size), fill: lighter(palette.accent, 0.35), depth: 0.55 });
  items.push({ kind: 'hull', d: shapes.hull(x, y, size), fill: darker(palette.accent, 0.35), depth: 0.55 });
}
