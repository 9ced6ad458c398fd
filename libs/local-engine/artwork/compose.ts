import { grounds, table } from './foreground.js';
import { boat, city, ridges, water } from './landscape.js';
import type { Palette } from './palette.js';
import type { Random } from './random.js';
import { birds, network, planets } from './sky.js';
import type { Composition, Frame, Item, Studio } from './studio.js';
import type { Scene } from './themes.js';

/** Builds the land of a scene, from the horizon to our feet, with everything in it. The sky is the style's own. */
export function compose(
  scene: Scene,
  palette: Palette,
  random: Random,
  frame: Frame,
  composition: Composition,
): Item[] {
  const studio: Studio = { scene, palette, random, frame, composition, items: [] };
  const { themes } = scene;
  if (themes.has('space')) planets(studio);
  if (themes.has('tech')) network(studio);
  ridges(studio);
  if (themes.has('city')) city(studio);
  if (themes.has('sea') || themes.has('lake')) water(studio);
  if (themes.has('boat')) boat(studio);
  grounds(studio);
  if (themes.has('bird')) birds(studio);
  if (themes.has('food')) table(studio);
  return studio.items;
}
