import type { ImageSize } from '#libs/contract/image-sizes.js';
import { sizeInPixels } from '#libs/contract/image-sizes.js';
import type { ImageStyle } from '#libs/tools/generate-image/contract.js';
import { randomFrom } from './random.js';
import { paintAnime } from './styles/anime.js';
import { paintCartoon } from './styles/cartoon.js';
import { paintFantasy } from './styles/fantasy.js';
import { paintGhibli } from './styles/ghibli.js';
import { paintPortrait } from './styles/portrait.js';
import { paintRealistic } from './styles/realistic.js';
import type { Painter } from './styles/style.js';
import { paintThreeD } from './styles/three-d.js';
import { readScene } from './themes.js';

const painters: Record<ImageStyle, Painter> = {
  Realistic: paintRealistic,
  'Ghibli style': paintGhibli,
  'Anime style': paintAnime,
  'Cartoon style': paintCartoon,
  'Fantasy style': paintFantasy,
  // Two chips of one meaning; the style is in the seed, so that each gives a picture of its own.
  'Realistic style': paintRealistic,
  '3D style': paintThreeD,
  'Portrait style': paintPortrait,
};

/**
 * Draws a picture from what is recognised in a description: an SVG of the given size. The same description, style
 * and size always give the same picture.
 */
export function drawArtwork(subject: string, style: ImageStyle, size: ImageSize): string {
  const random = randomFrom(`${style}\n${subject.toLowerCase().replace(/\s+/gu, ' ').trim()}`);
  return painters[style](readScene(subject, random), random, sizeInPixels(size));
}
