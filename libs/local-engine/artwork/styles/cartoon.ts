import { darker, lighter, mix } from '../colour.js';
import { compose } from '../compose.js';
import type { Item } from '../studio.js';
import { choosePalette } from '../palette.js';
import { cloud, disc, n } from '../shapes.js';
import { cover, path, stars, svg, weather } from '../svg.js';
import type { Painter } from './style.js';

const colours = {
  day: '35b6f2 58c8f6 8adcf9 c3effc 7fb4e8 6cc644 3fa9f5 1f7fd0 ffd93b ffffff cfe8f7 2fa84f 6fd04a ff4b4b ffe14d',
  sunset:
    'ff7a59 ff9a5a ffba5f ffdf80 c46fa8 8a9a3c ff9f7a b5508f fff07a ffe9d6 f7b5a0 3f9a55 8fbf3f e83f6f fff07a',
  night:
    '2a2f8f 3a45ae 4f5fca 7f8fe6 5560b8 2f7a5a 3f55c8 2a3596 fff3b0 c9d2ff 8a96e0 237a55 3fa866 ff5f8a ffe75a',
};

const INK = '#1d1930';

/** A comic panel: flat colours, thick ink, rays from the sun, dots for shade, a white border. */
export const paintCartoon: Painter = (scene, random, frame) => {
  const palette = choosePalette(colours, scene);
  const { width, height } = frame;
  const items = compose(scene, palette, random, frame, {
    horizon: 0.55,
    ridges: 3,
    rise: 0.3,
    jagged: false,
    trees: 'round',
    scale: 1.4,
  });
  const ink = Math.round(width * 0.0055);
  const night = scene.time === 'night';
  const sun = { x: width * random.between(0.2, 0.8), y: height * 0.26, r: width * 0.095 };

  const defs = [
    `<pattern id="dots" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(28)"><circle cx="7" cy="7" r="3.3" fill="${darker(palette.sky[1], 0.25)}"/></pattern>`,
    '<linearGradient id="down" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff"/><stop offset=".6" stop-color="#000"/></linearGradient>',
    `<mask id="upper"><rect width="${width}" height="${height * 0.6}" fill="url(#down)"/></mask>`,
    '<pattern id="shade" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><circle cx="5" cy="5" r="2.2" fill="#1d1930"/></pattern>',
    `<clipPath id="panel"><rect x="${width * 0.03}" y="${width * 0.03}" width="${width * 0.94}" height="${height - width * 0.06}" rx="${width * 0.028}"/></clipPath>`,
  ].join('');

  const rays = Array.from({ length: 18 }, (_, k) => {
    const [a, b] = [(k * 20 * Math.PI) / 180, ((k * 20 + 10) * Math.PI) / 180];
    const far = width * 2;
    return `M${n(sun.x)} ${n(sun.y)}L${n(sun.x + Math.cos(a) * far)} ${n(sun.y + Math.sin(a) * far)}L${n(sun.x + Math.cos(b) * far)} ${n(sun.y + Math.sin(b) * far)}Z`;
  }).join('');
  const outlined = (d: string, fill: string, weight = ink) =>
    path(d, INK, `stroke="${INK}" stroke-width="${weight * 2}" stroke-linejoin="round"`) + path(d, fill);
  const puff = (x: number, y: number, size: number) => {
    const d = cloud(random, x, y, size);
    return (
      outlined(d, palette.cloudShade) +
      `<g transform="translate(${n(-size * 0.015)} ${n(-size * 0.025)})">${path(d, palette.cloud)}</g>`
    );
  };
  const paint = (item: Item): string => {
    const flat = ['glint', 'window', 'stem', 'wire', 'steam', 'snowcap'];
    if (flat.includes(item.kind))
      return path(
        item.d,
        item.kind === 'glint' ? lighter(item.fill, 0.3) : item.fill,
        item.kind === 'steam' ? 'opacity=".8"' : '',
      );
    if (item.kind === 'flower') return outlined(item.d, item.fill, ink * 0.45);
    if (item.kind === 'form')
      return outlined(item.d, lighter(item.fill, 0.35)) + path(item.d, 'url(#shade)', `opacity=".25"`);
    const fill =
      item.kind === 'hill' || item.kind === 'leaves' ? mix(item.fill, palette.foliage[1], 0.3) : item.fill;
    const shade =
      item.kind === 'ridge' || item.kind === 'leaves' || item.kind === 'dish'
        ? path(item.d, 'url(#shade)', 'opacity=".14"')
        : '';
    const crest =
      item.kind === 'hill'
        ? `<g transform="translate(0 ${n(height * 0.02)})">${path(item.d, darker(fill, 0.1))}</g>`
        : '';
    return outlined(item.d, fill, item.depth < 0.3 ? ink * 0.7 : ink) + crest + shade;
  };
  const scenery = [
    cover(frame, palette.sky[1]),
    path(rays, palette.sky[2]),
    `<g mask="url(#upper)">${cover(frame, 'url(#dots)')}</g>`,
    night ? stars(random, frame, 120, '#fff7c2') : '',
    outlined(disc(sun.x, sun.y, sun.r), palette.sun),
    path(disc(sun.x - sun.r * 0.22, sun.y - sun.r * 0.22, sun.r * 0.62), lighter(palette.sun, 0.35)),
    puff(width * random.between(0.15, 0.3), height * 0.4, width * 0.3),
    puff(width * random.between(0.7, 0.85), height * 0.22, width * 0.26),
    puff(width * random.between(0.55, 0.65), height * 0.47, width * 0.2),
    ...items.map(paint),
    weather(random, frame, scene.snow, scene.rain),
  ].join('');
  const border = `<rect x="${width * 0.03}" y="${width * 0.03}" width="${width * 0.94}" height="${height - width * 0.06}" rx="${width * 0.028}" fill="none" stroke="${INK}" stroke-width="${ink * 2.2}"/>`;
  return svg(frame, defs, `${cover(frame, '#fdfaf2')}<g clip-path="url(#panel)">${scenery}</g>${border}`);
};
