import type { Hex, Palette } from './palette.js';
import type { Random } from '../random.js';
import { place, type Point } from './shapes.js';
import type { Style } from './styles.js';
import type { Defs } from './svg.js';
import type { Scene } from './themes.js';
import { things, type Thing } from './things.js';

/** What a part of a picture is made of, which decides how a style paints it. */
export type Material =
  Flat | 'cloud' | 'fine' | 'glint' | 'land' | 'leaf' | 'light' | 'ray' | 'solid' | 'sphere' | 'veil';
/** Painted in one colour without edges. */
export type Flat = 'air' | 'shade' | 'snow' | 'tone';

export interface Part {
  material: Material;
  d: string;
  fill: Hex;
  /** 0 far away, 1 near. */
  depth: number;
  /** The heights between which land fades. */
  span?: readonly [number, number];
}

/** What every step of painting one picture needs; lengths are in pixels. */
export interface Picture {
  scene: Scene;
  palette: Palette;
  style: Style;
  random: Random;
  width: number;
  height: number;
  sun: { x: number; y: number; r: number };
  /** Where the light comes from: -1 from the left, 1 from the right. */
  side: 1 | -1;
  defs: Defs;
  /** Of the noise in filters. */
  seed: number;
}

/** The parts of a thing with its foot at a point. */
export function thing({ palette }: Picture, name: Thing, depth: number, foot: Point, size: number): Part[] {
  return [...things[name].matchAll(/(\w+) (\w+) ([MO].+)/g)].map(([, colour, material, unit = '']) => {
    const d = place(unit, ...foot, size);
    return { material: material as Material, d, fill: palette[colour as keyof Palette], depth };
  });
}
