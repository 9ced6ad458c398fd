import type { Scene, Time } from './scene.js';

/** A colour as `#rrggbb`. */
export type Hex = string;

const skyKeys = ['zenith', 'highSky', 'lowSky', 'horizon', 'sun', 'cloud'] as const;
type Key = (typeof skyKeys)[number] | 'far' | 'near' | 'water' | 'leaf' | 'brightLeaf' | 'accent' | 'light';

export type Palettes = Record<Time, Record<Key, Hex>>;

export type Palette = ReturnType<typeof choosePalette>;

/**
 * A style's colours, adapted to the scene's weather, season, ground and the colour that the prompt names.
 * @param backlit darkness of people and animals, 0 to 1
 */
export function choosePalette(palettes: Palettes, scene: Scene, backlit: number) {
  const base = { ...palettes[scene.time] };
  const blend = (keys: readonly Key[], colour: Hex, share: number) => {
    for (const key of keys) base[key] = mix(base[key], colour, share);
  };
  if (scene.rain) blend([...skyKeys, 'water'], '#46505f', 0.5);
  if (scene.themes.has('desert')) blend(['far', 'near'], '#dcab66', 0.75);
  if (scene.themes.has('space')) blend(['far', 'near'], '#8c7f96', 0.5);
  if (scene.autumn) blend(['leaf', 'brightLeaf'], '#d07a22', 0.72);
  const snow = scene.time === 'night' ? '#8fa6cf' : '#f4f7fb';
  if (scene.snow) blend(['far', 'leaf', 'brightLeaf'], snow, 0.42);
  if (scene.snow) blend(['near'], snow, 0.86);
  const accent = scene.accent ?? base.accent;
  const { zenith, highSky, lowSky, horizon, sun, cloud, far, near, water, leaf, brightLeaf, light } = base;
  const dark = darker(near, 0.55);
  const wall = lighter(mix(cloud, near, 0.2), 0.1);
  const planet = mix(accent, lowSky, 0.35);
  const building = mix(far, dark, 0.5);
  return {
    ...base,
    accent,
    dark,
    wall,
    planet,
    building,
    paleBuilding: mix(building, cloud, 0.2),
    warmBuilding: mix(building, accent, 0.25),
    bark: darker(mix(near, '#6b4a32', 0.6), 0.2),
    brightSun: lighter(sun, 0.4),
    brightWater: lighter(water, 0.4),
    cactus: mix(leaf, '#3f7a4c', 0.6),
    cloudShade: mix(cloud, highSky, 0.4),
    coat: mix(accent, dark, backlit),
    crystal: lighter(mix(light, accent, 0.6), 0.1),
    darkLeaf: darker(leaf, 0.15),
    deepWater: darker(mix(water, zenith, 0.6), 0.15),
    fruit: mix(accent, brightLeaf, 0.25),
    glass: scene.time === 'day' ? mix(building, lowSky, 0.6) : light,
    fur: mix(scene.accent ?? '#b5793f', dark, backlit),
    haze: mix(horizon, sun, scene.time === 'night' ? 0 : 0.18),
    rock: mix(far, near, 0.5),
    rockShade: darker(far, 0.5),
    roofShade: darker(accent, 0.35),
    sail: lighter(accent, 0.4),
    snow: lighter(mix(cloud, far, 0.1), 0.15),
    softCloud: mix(cloud, highSky, 0.2),
    wallShade: darker(wall, 0.22),
    wood: mix('#a06a3c', near, 0.25),
    white: lighter(cloud, 0.3),
  };
}

/** Red, green and blue from 0 to 255. */
export const channels = (hex: Hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/** Mixes two colours: `from` for a `share` of 0, `to` for 1. */
export function mix(from: Hex, to: Hex, share: number): Hex {
  const end = channels(to);
  const mixed = channels(from).map((value, k) => Math.round(value + ((end[k] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

export const lighter = (colour: Hex, share: number) => mix(colour, '#ffffff', share);
export const darker = (colour: Hex, share: number) => mix(colour, '#0b0b18', share);
