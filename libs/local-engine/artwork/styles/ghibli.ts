import { darker, lighter, mix } from '../colour.js';
import { compose } from '../compose.js';
import type { Item } from '../studio.js';
import { choosePalette } from '../palette.js';
import { cloud, n } from '../shapes.js';
import { cover, glow, grainFilter, outward, path, skyGradient, stars, svg, weather } from '../svg.js';
import type { Painter } from './style.js';

const colours = {
  day: '2f8fd8 5fb4ea a4dcf3 dff4ee 8fc6c9 6fb03c 6cc3d8 2b8fb8 fffbe0 fffdf5 b8d6ea 3f8f3a 86c24a e2503c ffe9a0',
  sunset:
    '4a6bb0 a98fc0 f4b49a fde3b0 a79abf 7c9a44 f0b79c 6f86b5 fff0c0 ffe3cf d69fb2 4f7f3f a5a547 dd4f3c ffdf8a',
  night:
    '12265c 23468a 3f6fae 86b0cf 466f9c 2c5a4a 3f74ad 1b3f78 fdf6d0 8fb0d8 4a6ea8 23553f 3f7a4c c2524c ffe08a',
};

/** Painted as with gouache: heaped white clouds over bright rolling hills, with soft uneven edges, on paper. */
export const paintGhibli: Painter = (scene, random, frame) => {
  const palette = choosePalette(colours, scene);
  const { width, height } = frame;
  const items = compose(scene, palette, random, frame, {
    horizon: 0.57,
    ridges: 4,
    rise: 0.26,
    jagged: false,
    trees: 'round',
    scale: 1.1,
  });
  const seed = random.whole(1, 999);
  const night = scene.time === 'night';
  const sun = { x: width * random.between(0.12, 0.3), y: height * 0.13, r: width * 0.05 };

  const defs = [
    skyGradient('sky', palette.sky),
    outward('sun', [
      [0, palette.sun, 0.95],
      [0.25, palette.sun, 0.5],
      [1, palette.sun, 0],
    ]),
    `<filter id="brush" x="-5%" y="-5%" width="110%" height="110%"><feTurbulence type="fractalNoise" baseFrequency=".018" numOctaves="3" seed="${seed}"/><feDisplacementMap in="SourceGraphic" scale="${n(width / 85)}" xChannelSelector="R" yChannelSelector="G"/></filter>`,
    `<filter id="wash" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".006 .014" numOctaves="4" seed="${seed + 1}" result="t"/><feColorMatrix in="t" values="0 0 0 0 1  0 0 0 0 1  0 0 0 0 0.75  0 0 0 0.9 -0.42" result="light"/><feComposite in="light" in2="SourceAlpha" operator="in" result="own"/><feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="own"/></feMerge></filter>`,
    grainFilter('paper', '.25 .3', 0.8, seed + 2),
  ].join('');

  const heap = (x: number, base: number, size: number, opacity: number) => {
    const d = cloud(random, x, base, size);
    const shade = `transform="translate(${n(size * 0.012)} ${n(size * 0.035)})"`;
    const crest = `transform="translate(${n(-size * 0.012)} ${n(-size * 0.014)})"`;
    return `<g opacity="${opacity}">${path(d, palette.cloudShade, shade)}${path(d, mix(palette.cloud, palette.cloudShade, 0.35))}${path(d, palette.cloud, crest)}</g>`;
  };
  const clouds = [
    heap(width * random.between(0.6, 0.8), height * 0.5, width * 0.78, 1),
    heap(width * random.between(0.05, 0.3), height * 0.56, width * 0.5, 0.95),
    heap(width * random.between(0.3, 0.5), height * 0.2, width * 0.24, 0.85),
    heap(width * random.between(0.85, 0.95), height * 0.12, width * 0.18, 0.7),
  ];

  const paint = (item: Item): string => {
    if (item.kind === 'hill' || (item.kind === 'ridge' && item.depth > 0.1)) {
      // A lighter crest, then the body.
      const down = height * 0.012;
      return (
        path(item.d, lighter(mix(item.fill, palette.foliage[1], 0.4), 0.28)) +
        path(item.d, item.fill, `transform="translate(0 ${n(down)})"`) +
        (item.depth === 1
          ? path(item.d, item.fill, `transform="translate(0 ${n(down)})" filter="url(#wash)"`)
          : '')
      );
    }
    if (item.kind === 'ridge') return path(item.d, item.fill);
    if (item.kind === 'water')
      return (
        path(item.d, item.fill) +
        glow({ x: sun.x + width * 0.2, y: height * 0.66, r: width * 0.4 }, 'sun', 'opacity=".4"')
      );
    if (item.kind === 'glint') return path(item.d, lighter(item.fill, 0.35), 'opacity=".55"');
    if (item.kind === 'leaves') {
      const lit = `transform="translate(${n(-width * 0.004)} ${n(-width * 0.005)})"`;
      return path(item.d, darker(item.fill, 0.25)) + path(item.d, item.fill, lit);
    }
    if (item.kind === 'planet' || item.kind === 'steam') return path(item.d, item.fill, 'opacity=".6"');
    return path(item.d, item.fill);
  };
  const body = [
    cover(frame, 'url(#sky)'),
    night ? stars(random, frame, 200, '#fff8dc') : '',
    glow({ ...sun, r: width * 0.34 }, 'sun'),
    night ? `<circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill="#fff6cf"/>` : '',
    `<g filter="url(#brush)">${clouds.join('')}</g>`,
    `<g filter="url(#brush)">${items
      .filter(({ kind }) => !fine.has(kind))
      .map(paint)
      .join('')}</g>`,
    items
      .filter(({ kind }) => fine.has(kind))
      .map(paint)
      .join(''),
    grass(random, frame, palette.foliage, scene.themes.has('desert') || scene.snow),
    weather(random, frame, scene.snow, scene.rain),
    cover(frame, '#808080', 'filter="url(#paper)" opacity=".2"'),
  ];
  return svg(frame, defs, body.join(''));
};

/** Too small for an uneven brush, and drawn over everything it leaves. */
const fine = new Set<Item['kind']>(['flower', 'stem', 'gull']);

/** Blades along the lower edge, so near that they lean into the picture. */
function grass(
  random: Parameters<Painter>[1],
  { width, height }: Parameters<Painter>[2],
  [dark, bright]: [string, string],
  none: boolean,
): string {
  if (none) return '';
  const blades: [string, string] = ['', ''];
  for (let k = 0; k < 170; k += 1) {
    const x = random.between(-0.02, 1.02) * width;
    const tall = height * random.between(0.03, 0.11) * (0.6 + Math.abs(x / width - 0.5));
    const lean = random.between(-0.4, 0.4) * tall;
    const w = width * 0.004;
    blades[k % 2 ? 1 : 0] +=
      `M${n(x - w)} ${n(height)}Q${n(x)} ${n(height - tall * 0.6)} ${n(x + lean)} ${n(height - tall)}Q${n(x + w)} ${n(height - tall * 0.5)} ${n(x + w)} ${n(height)}Z`;
  }
  return path(blades[0], darker(dark, 0.15)) + path(blades[1], mix(dark, bright, 0.6));
}
