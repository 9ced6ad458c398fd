import { darker, lighter, type Hex } from '../colour.js';
import type { Palette } from '../palette.js';
import type { Random } from '../random.js';
import { n } from '../shapes.js';
import { path } from '../svg.js';
import type { Scene } from '../themes.js';

/** The board of the 3D style and the solids that everything on it is made of. */

export const SIDE = 9;

export interface Block {
  i: number;
  j: number;
  z: number;
}

export interface Model {
  scene: Scene;
  palette: Palette;
  random: Random;
  /** A place on the board, z in tiles, as a point in the picture. */
  at: (i: number, j: number, z: number) => [number, number];
  /** Width of a tile, in pixels. */
  tile: number;
}

export const wet = ({ themes }: Scene, i: number, j: number) =>
  (themes.has('sea') && i + j > SIDE * 1.02) || (themes.has('lake') && Math.hypot(i - 5.3, j - 4.4) < 2.3);

export const face = (points: [number, number][], fill: Hex, more = '') =>
  path(
    `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}Z`,
    fill,
    more || `stroke="${fill}" stroke-width=".8"`,
  );

/** An upright block with its three visible faces. */
export function prism(
  { at }: Model,
  i: number,
  j: number,
  from: number,
  to: number,
  size: number,
  fill: Hex,
): string {
  const e = i + size;
  const f = j + size;
  return (
    face([at(i, f, to), at(e, f, to), at(e, f, from), at(i, f, from)], darker(fill, 0.1)) +
    face([at(e, j, to), at(e, f, to), at(e, f, from), at(e, j, from)], darker(fill, 0.32)) +
    face([at(i, j, to), at(e, j, to), at(e, f, to), at(i, f, to)], lighter(fill, 0.16))
  );
}

/** A cone, lit from the left: two halves and a soft foot. */
export function cone(
  { at, tile }: Model,
  i: number,
  j: number,
  z: number,
  r: number,
  h: number,
  fill: Hex,
): string {
  const [x, y] = at(i, j, z);
  const [rx, ry] = [r * tile * 0.8, r * tile * 0.46];
  const top = y - h * tile * 0.62;
  const half = (side: number) =>
    `M${n(x)} ${n(top)}L${n(x + side * rx)} ${n(y)}Q${n(x + side * rx * 0.7)} ${n(y + ry)} ${n(x)} ${n(y + ry)}Z`;
  return path(half(-1), lighter(fill, 0.14)) + path(half(1), darker(fill, 0.2));
}

const shades = ['leaf', 'leaf2', 'accent', 'light', 'pale', 'skin'] as const;
export type Shade = (typeof shades)[number];

/** Balls are lit by one gradient for each colour. */
export const balls = {
  defs(palette: Palette): string {
    const hue: Record<Shade, Hex> = {
      leaf: palette.foliage[0],
      leaf2: palette.foliage[1],
      accent: palette.accent,
      light: palette.light,
      pale: lighter(palette.cloud, 0.2),
      skin: '#e3b08d',
    };
    return shades
      .map(
        (name) =>
          `<radialGradient id="ball-${name}" cx=".36" cy=".3" r=".78"><stop offset="0" stop-color="${lighter(hue[name], 0.45)}"/><stop offset=".45" stop-color="${hue[name]}"/><stop offset="1" stop-color="${darker(hue[name], 0.42)}"/></radialGradient>`,
      )
      .join('');
  },
};

export function ball(
  { at, tile }: Model,
  i: number,
  j: number,
  z: number,
  r: number,
  shade: Shade,
  lit = false,
): string {
  const [x, y] = at(i, j, z);
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r * tile)}" fill="url(#ball-${shade})"${lit ? ' filter="url(#lit)"' : ''}/>`;
}
