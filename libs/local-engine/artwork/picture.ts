import type { Hex, Palette } from './palette.js';
import type { Random } from '../random.js';
import { placePath, type Point } from './shapes.js';
import type { Style } from './styles.js';
import type { Defs } from './svg.js';
import type { Scene } from './scene.js';
import { motifs, type Material, type MotifName } from './motifs.js';

export interface Part {
  material: Material;
  d: string;
  fill: Hex;
  /** 0 is far away, 1 near. */
  depth: number;
  /** Land fades between these heights (y in pixels); default: the whole picture. */
  span?: readonly [number, number];
}

/** Context that all painting functions share. Lengths are in pixels. */
export interface Picture {
  scene: Scene;
  palette: Palette;
  style: Style;
  random: Random;
  width: number;
  height: number;
  sun: { x: number; y: number; r: number };
  /** The side from which the light comes: -1 left, 1 right. */
  side: 1 | -1;
  defs: Defs;
  /** The seed of the noise filters. */
  seed: number;
}

/** Places a motif with its foot at a point. */
export const placeMotif = (
  { palette }: Picture,
  name: MotifName,
  depth: number,
  foot: Point,
  size: number,
): Part[] =>
  motifs[name].map(({ fill, material, path }) => ({
    material,
    d: placePath(path, ...foot, size),
    fill: palette[fill],
    depth,
  }));
