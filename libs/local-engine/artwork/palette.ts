import { mix, type Hex } from './colour.js';
import type { Scene, Time } from './themes.js';

/** The colours of one picture. */
export interface Palette {
  /** From the zenith to the horizon. */
  sky: [Hex, Hex, Hex, Hex];
  /** Land far away and land at our feet; what lies between is mixed. */
  far: Hex;
  near: Hex;
  /** Water at the horizon, and before us. */
  water: [Hex, Hex];
  sun: Hex;
  cloud: Hex;
  cloudShade: Hex;
  foliage: [Hex, Hex];
  /** Roofs, flowers, sails, coats. */
  accent: Hex;
  /** Windows, lamps, sparks. */
  light: Hex;
}

/** Colours in the order of {@link Palette}'s fields, one line a time of day. */
export type PaletteLines = Record<Time, string>;

/** A style's colours for a scene: snow, autumn and a named colour have their say. */
export function choosePalette(lines: PaletteLines, scene: Scene): Palette {
  const at = lines[scene.time].split(' ').map((digits) => `#${digits}`);
  const [s0, s1, s2, s3, far, near, w0, w1, sun, cloud, cloudShade, f0, f1, accent, light] = at as [
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
  ];
  const white = scene.time === 'night' ? '#8fa6cf' : '#f4f7fb';
  const snowed = (colour: Hex, share: number) => (scene.snow ? mix(colour, white, share) : colour);
  const overcast = (colour: Hex) => (scene.rain ? mix(colour, '#46505f', 0.5) : colour);
  const leaf = (colour: Hex, warm: Hex) => snowed(scene.autumn ? mix(colour, warm, 0.75) : colour, 0.45);
  const ground = (colour: Hex) => (scene.themes.has('desert') ? mix(colour, '#d9a55b', 0.62) : colour);
  return {
    sky: [overcast(s0), overcast(s1), overcast(s2), overcast(s3)],
    far: snowed(ground(far), 0.35),
    near: snowed(ground(near), 0.6),
    water: [overcast(w0), overcast(w1)],
    sun: overcast(sun),
    cloud: overcast(cloud),
    cloudShade: overcast(cloudShade),
    foliage: [leaf(f0, '#c8641e'), leaf(f1, '#e0a02c')],
    accent: scene.accent ?? accent,
    light,
  };
}
