import data from './motifs.json' with { type: 'json' };
import type { Palette } from './palette.js';

/** The material of a part, which decides how a style paints it. */
export type Material =
  Flat | 'cloud' | 'fine' | 'glint' | 'land' | 'leaf' | 'light' | 'ray' | 'solid' | 'sphere' | 'veil';
/** Materials that are painted in one colour without edges. */
export type Flat = 'air' | 'shade' | 'snow' | 'tone';

export type MotifName = keyof typeof data;

interface MotifPart {
  fill: keyof Palette;
  material: Material;
  /** An SVG path in absolute coordinates; `O` is a circle with x, y and radius. */
  path: string;
}

/**
 * The motifs of pictures, each as parts from back to front. One unit is the height of the motif or half its width; its
 * foot is at 0 0.
 */
export const motifs = data as Record<MotifName, MotifPart[]>;
