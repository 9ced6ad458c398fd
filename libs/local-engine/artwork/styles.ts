import type { ImageStyle } from '#libs/tools/generate-image/contract.js';
import type { Palettes } from './palette.js';
import type { Thing } from './things.js';

export type Effect = 'aurora' | 'beams' | 'burst';
export type Addition = 'crystals' | 'grass' | 'islands';

export type Choice = readonly [Thing, ...Thing[]];

/** Everything that makes one style look different from another. Lengths are shares of the picture's size. */
export interface Style extends Palettes {
  /** The height of the horizon, the number and height of mountain ridges, the size of things, degrees of tilt. */
  land: Record<'horizon' | 'ridges' | 'rise' | 'scale' | 'tilt', number>;
  jagged: boolean;
  /** Trees in front, and those in rows far away. */
  trees: Choice;
  woods: Choice;
  /** The sun or moon: distance from the side, height, radius; radius and opacity of its halo; stars at night, motes. */
  light: Record<'x' | 'y' | 'radius' | 'halo' | 'strength' | 'stars' | 'motes', number>;
  /** Clouds of noise, or the place across, base and size of each in percent. */
  clouds: 'noise' | `${number} ${string}`;
  cloud: Thing;
  sun: Thing;
  /** Paleness of what is far, fading of far land at its feet, darkness of what is near. */
  depth: Record<'haze' | 'mist' | 'contrast', number>;
  /** Shading of each shape, width of its lit edge and of its outline. */
  shape: Record<'shading' | 'rim' | 'ink', number>;
  /** Opacity of what water mirrors, of strokes on water, of grain and of the dark border. */
  surface: Record<'reflection' | 'glints' | 'grain' | 'vignette', number>;
  texture: 'none' | 'brush' | 'halftone' | 'relief' | 'stone';
  frame: 'none' | 'niche' | 'panel' | 'profile';
  /** Light in the sky, and things that stand in every scene. */
  effects: readonly Effect[];
  additions: readonly Addition[];
}

const realistic: Style = {
  day: '2f6cb3 6fa4d8 b3d3ea e9eeea fff6dc ffffff 7197b8 4a6635 7fa9c4 2f5228 6b8a40 c24a30 ffdf9a',
  sunset: '34416e 7a628d d98b6d f6c98b ffe0a0 f3b48f 7d6c90 2b2a33 d99b7c 2b3129 4d4a33 b0402f ffc860',
  night: '060b1c 0f1c3a 20365c 3d5578 e8eefc 46597c 24385a 0b1220 2a456b 0f1f20 1d3330 8f3a3a ffc978',
  land: { horizon: 0.56, ridges: 6, rise: 0.34, scale: 1, tilt: 0 },
  jagged: true,
  trees: ['pine', 'slimPine'],
  woods: ['slimPine'],
  light: { x: 0.3, y: 0.17, radius: 0.028, halo: 0.6, strength: 0.6, stars: 330, motes: 0 },
  clouds: 'noise',
  cloud: 'cloud',
  sun: 'sun',
  depth: { haze: 0.4, mist: 0.7, contrast: 0.15 },
  shape: { shading: 0.5, rim: 0, ink: 0 },
  surface: { reflection: 0.5, glints: 0.22, grain: 0.16, vignette: 0.5 },
  texture: 'stone',
  frame: 'none',
  effects: [],
  additions: ['grass'],
};

export const styles: Record<ImageStyle, Style> = {
  Realistic: realistic,
  // Two names of one look: this one has another composition, a low horizon under a large sky.
  'Realistic style': {
    ...realistic,
    land: { horizon: 0.7, ridges: 6, rise: 0.42, scale: 1, tilt: 0 },
    light: { x: 0.4, y: 0.4, radius: 0.022, halo: 0.9, strength: 0.8, stars: 330, motes: 0 },
    depth: { haze: 0.45, mist: 0.9, contrast: 0.4 },
  },
  'Ghibli style': {
    ...realistic,
    day: '2f8fd8 5fb4ea a4dcf3 dff4ee fffbe0 fffdf5 8fc6c9 6fb03c 6cc3d8 3f8f3a 86c24a e2503c ffe9a0',
    sunset: '4a6bb0 a98fc0 f4b49a fde3b0 fff0c0 ffe3cf a79abf 7c9a44 f0b79c 4f7f3f a5a547 dd4f3c ffdf8a',
    night: '12265c 23468a 3f6fae 86b0cf fdf6d0 8fb0d8 466f9c 2c5a4a 3f74ad 23553f 3f7a4c c2524c ffe08a',
    land: { horizon: 0.57, ridges: 4, rise: 0.26, scale: 1.1, tilt: 0 },
    jagged: false,
    trees: ['roundTree'],
    woods: ['bush'],
    light: { x: 0.2, y: 0.13, radius: 0.04, halo: 0.34, strength: 0.9, stars: 200, motes: 0 },
    clouds: '68 44 22, 58 52 26, 82 52 24, 70 57 30, 46 58 20, 14 57 17, 4 58 16, 42 20 9',
    depth: { haze: 0.25, mist: 0.25, contrast: 0 },
    shape: { shading: 0.3, rim: 0.003, ink: 0 },
    surface: { reflection: 0.3, glints: 0.5, grain: 0.2, vignette: 0 },
    texture: 'brush',
  },
  'Anime style': {
    ...realistic,
    day: '0c4fd0 2b86f0 6cc8fb d2f6ff ffffff ffffff 5f9be0 16408a 4fb6f2 0f6a5c 2fae74 ff3d6e fff3a8',
    sunset: '2b1a78 8a2fa8 ff5f8f ffc46b fff1b0 ffb0a0 8a4bb0 231553 ff8f8f 241a52 4a2a78 ff4a5f ffe27a',
    night: '050a3a 10207a 2c46c0 7a6ff0 f4f0ff 5a6ae0 2a3aa0 070b34 2f55d0 08203f 134a63 ff4fa0 8af3ff',
    land: { horizon: 0.6, ridges: 4, rise: 0.3, scale: 1.15, tilt: 3.5 },
    trees: ['roundTree'],
    woods: ['bush'],
    light: { x: 0.31, y: 0.24, radius: 0.045, halo: 0.55, strength: 1, stars: 300, motes: 25 },
    clouds: '80 38 17, 74 48 20, 90 52 24, 82 60 30, 68 66 24, 96 66 24, 14 62 18, 4 66 24',
    depth: { haze: 0.2, mist: 0.35, contrast: 0.35 },
    shape: { shading: 0.2, rim: 0.0035, ink: 0 },
    surface: { reflection: 0.25, glints: 0.7, grain: 0, vignette: 0 },
    texture: 'none',
    effects: ['beams'],
    additions: [],
  },
  'Cartoon style': {
    ...realistic,
    day: '35b6f2 58c8f6 8adcf9 c3effc ffd93b ffffff 7fb4e8 6cc644 3fa9f5 2fa84f 6fd04a ff4b4b ffe14d',
    sunset: 'ff7a59 ff9a5a ffba5f ffdf80 fff07a ffe9d6 c46fa8 8a9a3c ff9f7a 3f9a55 8fbf3f e83f6f fff07a',
    night: '2a2f8f 3a45ae 4f5fca 7f8fe6 fff3b0 c9d2ff 5560b8 2f7a5a 3f55c8 237a55 3fa866 ff5f8a ffe75a',
    land: { horizon: 0.55, ridges: 3, rise: 0.3, scale: 1.4, tilt: 0 },
    jagged: false,
    trees: ['roundTree'],
    woods: ['bush'],
    light: { x: 0.36, y: 0.26, radius: 0.095, halo: 0, strength: 0, stars: 120, motes: 0 },
    clouds: '20 40 15, 82 23 13, 64 48 10',
    depth: { haze: 0, mist: 0, contrast: 0 },
    shape: { shading: 0, rim: 0, ink: 0.0055 },
    surface: { reflection: 0, glints: 0.9, grain: 0, vignette: 0 },
    texture: 'halftone',
    frame: 'panel',
    effects: ['burst'],
    additions: [],
  },
  'Fantasy style': {
    ...realistic,
    day: '2a2a7a 5a4fc0 b58be8 ffd9ef fff4d8 f4e0ff 9a86d8 3a4a8f 8fb8f0 2f7f86 5fc0a0 ff7ac0 fff0a8',
    sunset: '2b1250 7a2a8a e05f9a ffc08a ffe0b8 ffb8d0 a05fa8 3a1f5c e08fb0 2f4a78 5a7fa0 ff5f9a ffe08a',
    night: '070322 1c0f4a 4a1f86 b04fc0 e8dcff 8a6fe0 4a3a9a 120a34 5a4fd0 14405c 1f7f86 e04fd0 7afff0',
    land: { horizon: 0.64, ridges: 4, rise: 0.3, scale: 1, tilt: 0 },
    light: { x: 0.34, y: 0.25, radius: 0.11, halo: 0.42, strength: 0.7, stars: 300, motes: 25 },
    clouds: '8 67 20, 24 68 14, 78 66 18, 93 67 24',
    sun: 'moons',
    depth: { haze: 0.4, mist: 0.6, contrast: 0.2 },
    shape: { shading: 0.5, rim: 0.003, ink: 0 },
    surface: { reflection: 0.45, glints: 0.5, grain: 0, vignette: 0.4 },
    texture: 'none',
    effects: ['aurora'],
    additions: ['crystals', 'islands'],
  },
  '3D style': {
    ...realistic,
    day: '8cc8f5 a9d8f8 c4e6fa e3f4fb ffd564 ffffff 8fb4d8 86c96a 4fbfe8 3fa36a 7ccf7e ff6b5b ffd873',
    sunset: 'f79a8a fbb498 fdcaa4 ffe3c0 ffd27a fff2e4 b58ab0 b3b26a f29f97 5f9a62 b3bf66 e8506a ffdc7a',
    night: '1a2048 242d60 333f7c 46539a ffe9a8 aab6ea 5b68a8 3f7f78 3f6fd0 2b7a68 4fb08a ff6f9a ffd56a',
    land: { horizon: 0.56, ridges: 4, rise: 0.26, scale: 1.2, tilt: 0 },
    jagged: false,
    trees: ['coneTree', 'ballTree'],
    woods: ['coneTree', 'ballTree'],
    light: { x: 0.38, y: 0.27, radius: 0.06, halo: 0, strength: 0, stars: 60, motes: 0 },
    clouds: '20 36 15, 60 48 13',
    cloud: 'ballCloud',
    sun: 'ball',
    depth: { haze: 0.1, mist: 0, contrast: 0 },
    shape: { shading: 0.35, rim: 0, ink: 0 },
    surface: { reflection: 0, glints: 0.6, grain: 0, vignette: 0 },
    texture: 'relief',
    frame: 'niche',
    additions: [],
  },
  'Portrait style': {
    ...realistic,
    day: '1d4677 3f7fae 86bccb f0d9a6 fff2c9 fffdf6 6f9aa8 21443f 6fb0bf 2b5a4a 6a9a5a d9534a ffd98a',
    sunset: '3b3468 8a4f86 e0806a fbd09a fff0b8 ffd9c0 9a6f8f 33294f e59f8f 2f4450 6f6f4a d9413f ffd27a',
    night: '0d1440 1f2f70 4057a0 9aa6d0 f6f0d8 8fa0d8 4a5f9a 141f45 4f72b8 1a3f4a 2f6a62 e05f8a ffdf8f',
    land: { horizon: 0.6, ridges: 5, rise: 0.32, scale: 1.05, tilt: 0 },
    light: { x: 0.45, y: 0.4, radius: 0.085, halo: 0.36, strength: 0.9, stars: 260, motes: 0 },
    clouds: '28 47 14, 74 37 12',
    depth: { haze: 0.55, mist: 0.6, contrast: 0.15 },
    shape: { shading: 0.4, rim: 0, ink: 0 },
    surface: { reflection: 0.35, glints: 0.4, grain: 0.17, vignette: 0 },
    texture: 'none',
    frame: 'profile',
    additions: [],
  },
};
