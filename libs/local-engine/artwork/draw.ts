import { sizeInPixels, type ImageSize } from '#libs/contract/images.js';
import type { ImageStyle } from '#libs/tools/generate-image/contract.js';
import { frames } from './frames.js';
import { paintParts, paintWater } from './painter.js';
import { choosePalette } from './palette.js';
import type { Picture } from './picture.js';
import { randomFrom } from '../random.js';
import { composeScenery } from './scenery.js';
import { paintAir, paintSky } from './sky.js';
import { styleOf } from './styles.js';
import { Defs, group } from './svg.js';
import { readScene } from './scene.js';

/**
 * Draws an SVG picture of the themes recognised in a description. The SVG contains no text of the description. The same
 * description, style, size and seed always give the same picture.
 */
export function drawArtwork(
  subject: string,
  styleName: ImageStyle,
  size: ImageSize,
  seed: number | '' = '',
): string {
  const style = styleOf(styleName);
  const { light, land } = style;
  const { width, height } = sizeInPixels(size);
  const random = randomFrom(`${styleName}\n${subject.toLowerCase().replace(/\s+/gu, ' ').trim()}${seed}`);
  const scene = readScene(subject, random);
  const side = random.chance(0.5) ? 1 : -1;
  const low = scene.time === 'sunset' && style.sun !== 'moons';
  const picture: Picture = {
    scene,
    palette: choosePalette(style, scene, Math.min(0.9, 0.2 + style.depth.contrast * 2)),
    style,
    random,
    width,
    height,
    sun: {
      x: width * (0.5 + side * (0.5 - light.x + random.between(-0.06, 0.06))),
      y: height * (low ? Math.max(light.y, land.horizon - 0.07) : light.y),
      r: Math.min(width, height) * light.radius,
    },
    side,
    defs: new Defs(),
    seed: Math.ceil(random.between(0, 999)),
  };
  const sky = paintSky(picture);
  const { far, waterline, onWater, near } = composeScenery(picture);
  const water = waterline === null ? '' : paintWater(picture, waterline, paintParts(picture, far, false));
  const layers = [paintParts(picture, far), water, paintParts(picture, onWater), paintParts(picture, near)];
  const tilt = `rotate(${side * land.tilt} ${width / 2} ${height * 0.7}) translate(${-width * 0.06} ${-height * 0.05}) scale(1.12)`;
  const content = sky + group(layers.join(''), land.tilt ? `transform="${tilt}"` : '') + paintAir(picture);
  const body = frames[style.frame](picture, content);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${picture.defs.markup}</defs>${body}</svg>`;
}
