import type { Hex } from './colour.js';
import type { Frame, Orb } from './studio.js';
import type { Random } from './random.js';
import { disc, n, sparkle } from './shapes.js';

/** A whole SVG picture. Nothing of a prompt's own words is ever in it, only numbers, colours and our shapes. */
export const svg = ({ width, height }: Frame, defs: string, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${defs}</defs>${body}</svg>`;

export const path = (d: string, fill: string, more = '') =>
  d ? `<path d="${d}" fill="${fill}"${more && ` ${more}`}/>` : '';

export const cover = ({ width, height }: Frame, fill: string, more = '') =>
  `<rect width="${width}" height="${height}" fill="${fill}"${more && ` ${more}`}/>`;

type Stop = readonly [at: number, colour: Hex, opacity?: number];
const stopsOf = (stops: readonly Stop[]) =>
  stops
    .map(
      ([at, colour, opacity]) =>
        `<stop offset="${n(at * 100)}%" stop-color="${colour}"${opacity === undefined ? '' : ` stop-opacity="${opacity}"`}/>`,
    )
    .join('');

/** From above to below. */
export const downward = (id: string, stops: readonly Stop[]) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stopsOf(stops)}</linearGradient>`;

/** From a middle outwards. */
export const outward = (id: string, stops: readonly Stop[]) =>
  `<radialGradient id="${id}">${stopsOf(stops)}</radialGradient>`;

export const skyGradient = (id: string, sky: readonly Hex[]) =>
  downward(
    id,
    sky.map((colour, k) => [[0, 0.28, 0.5, 0.72][k] ?? 1, colour] as const),
  );

/** Light around a sun, a moon or a lamp. Needs `outward(id, …)`. */
export const glow = ({ x, y, r }: Orb, id: string, more = '') =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="url(#${id})"${more && ` ${more}`}/>`;

/** Stars over the upper part of the sky: many faint ones, some bright. */
export function stars(random: Random, { width, height }: Frame, count: number, fill: Hex): string {
  let [faint, bright] = ['', ''];
  for (let k = 0; k < count; k += 1) {
    const [x, y] = [random.between(0, width), height * 0.68 * random.between(0, 1) ** 1.3];
    if (k % 12 === 0) bright += sparkle(x, y, width * random.between(0.004, 0.009));
    else faint += disc(x, y, width * random.between(0.0005, 0.0016));
  }
  return path(faint, fill, 'opacity=".75"') + path(bright, fill);
}

/** Fine grain over the whole picture, as of film or paper. */
export const grainFilter = (id: string, frequency: string, strength: number, seed: number) =>
  `<filter id="${id}" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="3" seed="${seed}"/><feColorMatrix values="0 0 0 0 0.5  0 0 0 0 0.5  0 0 0 0 0.5  0 0 0 ${strength} ${n(-strength * 0.28)}"/></filter>`;

/** Falling snow or rain. */
export function weather(random: Random, { width, height }: Frame, snow: boolean, rain: boolean): string {
  let d = '';
  if (snow) {
    for (let k = 0; k < 190; k += 1)
      d += disc(random.between(0, width), random.between(0, height), width * random.between(0.001, 0.0042));
    return path(d, '#ffffff', 'opacity=".85"');
  }
  if (!rain) return '';
  for (let k = 0; k < 240; k += 1) {
    const [x, y, l] = [
      random.between(0, width * 1.1),
      random.between(-0.05, 1) * height,
      height * random.between(0.02, 0.05),
    ];
    d += `M${n(x)} ${n(y)}l${n(-l * 0.22)} ${n(l)}l1.4 0l${n(l * 0.22)} ${n(-l)}Z`;
  }
  return path(d, '#dfe9f5', 'opacity=".4"');
}
