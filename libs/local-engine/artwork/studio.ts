import type { Hex } from './colour.js';
import type { Palette } from './palette.js';
import type { Random } from './random.js';
import type { Scene } from './themes.js';

export interface Frame {
  width: number;
  height: number;
}

export type Kind =
  | 'planet'
  | 'ridge'
  | 'snowcap'
  | 'skyline'
  | 'window'
  | 'water'
  | 'glint'
  | 'hill'
  | 'trunk'
  | 'leaves'
  | 'wall'
  | 'roof'
  | 'stem'
  | 'flower'
  | 'form'
  | 'gull'
  | 'hull'
  | 'sail'
  | 'lamp'
  | 'dish'
  | 'steam'
  | 'wire';

/** One painted piece of a scene, in the order it is painted. */
export interface Item {
  kind: Kind;
  d: string;
  fill: Hex;
  /** 0 at the horizon, 1 at our feet. */
  depth: number;
}

/** What a style decides about where things stand. */
export interface Composition {
  /** Height of the horizon as a share of the picture's height, from above. */
  horizon: number;
  /** How many lines of hills or mountains there are. */
  ridges: number;
  /** How high mountains rise, as a share of the picture's height. */
  rise: number;
  jagged: boolean;
  trees: 'pine' | 'round';
  /** How large things at our feet are; 1 is natural. */
  scale: number;
}

/** Where the sun or moon stands and how large it is, in pixels. */
export interface Orb {
  x: number;
  y: number;
  r: number;
}

/** What everything that is placed in a picture is given, and the picture so far. */
export interface Studio {
  scene: Scene;
  palette: Palette;
  random: Random;
  frame: Frame;
  composition: Composition;
  items: Item[];
}
