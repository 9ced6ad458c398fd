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
  /** An SVG path in absolute coordinates. The additional command `O x y r` is a circle. */
  path: string;
}

/**
 * The parts of each motif, from back to front. A motif's foot is at 0 0. A motif is one unit high, or two units wide.
 */
export const motifs = data as Record<MotifName, MotifPart[]>;
