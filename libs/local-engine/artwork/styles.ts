import type { ImageStyle } from '#libs/tools/generate-image/contract.js';
import type { MotifName } from './motifs.js';
import type { Palettes } from './palette.js';
import data from './styles.json' with { type: 'json' };

export type Effect = 'aurora' | 'beams' | 'burst';
export type Addition = 'crystals' | 'grass' | 'islands';

export type MotifChoice = readonly [MotifName, ...MotifName[]];

/** The parameters of a style. Lengths are fractions of the picture's size. */
export interface Style extends Palettes {
  /** Height of the horizon, number and height of mountain ridges, scale of motifs, tilt in degrees. */
  land: Record<'horizon' | 'ridges' | 'rise' | 'scale' | 'tilt', number>;
  jagged: boolean;
  /** Trees in the foreground; `woods` are the rows of trees in the background. */
  trees: MotifChoice;
  woods: MotifChoice;
  /** The sun or moon: distance from the side, height, radius; radius and opacity of its halo; stars at night; motes. */
  light: Record<'x' | 'y' | 'radius' | 'halo' | 'strength' | 'stars' | 'motes', number>;
  /** `noise`, or the x, base and size of each cloud in percent of the picture. */
  clouds: 'noise' | readonly (readonly [x: number, base: number, size: number])[];
  cloud: MotifName;
  sun: MotifName;
  /** Paleness of the background (`haze`), fading of distant land towards its foot (`mist`), darkness of the foreground. */
  depth: Record<'haze' | 'mist' | 'contrast', number>;
  /** Strength of the shading, width of the lit edge (`rim`) and of the outline (`ink`) of each shape. */
  shape: Record<'shading' | 'rim' | 'ink', number>;
  /** Opacity of reflections in water, of strokes on water, of film grain and of the vignette. */
  surface: Record<'reflection' | 'glints' | 'grain' | 'vignette', number>;
  texture: 'none' | 'brush' | 'halftone' | 'relief' | 'stone';
  frame: 'none' | 'niche' | 'panel' | 'profile';
  /** Light effects in the sky; `additions` are motifs that every scene has. */
  effects: readonly Effect[];
  additions: readonly Addition[];
}

/** In styles.json, `Realistic` has every parameter; other styles list only parameters that differ from `Realistic`. */
const differences: Record<ImageStyle, object> = data;

export const styleOf = (name: ImageStyle): Style => ({
  ...(data.Realistic as unknown as Style),
  ...differences[name],
});
