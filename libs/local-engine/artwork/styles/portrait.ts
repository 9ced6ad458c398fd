import { darker, lighter, mix } from '../colour.js';
import { compose } from '../compose.js';
import type { Frame, Item } from '../studio.js';
import { choosePalette } from '../palette.js';
import type { Random } from '../random.js';
import { beast, cloud, disc, gull, n } from '../shapes.js';
import {
  cover,
  downward,
  glow,
  grainFilter,
  outward,
  path,
  skyGradient,
  stars,
  svg,
  weather,
} from '../svg.js';
import type { Painter } from './style.js';

const colours = {
  day: '1d4677 3f7fae 86bccb f0d9a6 6f9aa8 21443f 6fb0bf 1f5876 fff2c9 fffdf6 bcd0d8 2b5a4a 6a9a5a d9534a ffd98a',
  sunset:
    '3b3468 8a4f86 e0806a fbd09a 9a6f8f 33294f e59f8f 6a3f7a fff0b8 ffd9c0 b57f9a 2f4450 6f6f4a d9413f ffd27a',
  night:
    '0d1440 1f2f70 4057a0 9aa6d0 4a5f9a 141f45 4f72b8 1a2a60 f6f0d8 8fa0d8 3f4f90 1a3f4a 2f6a62 e05f8a ffdf8f',
};

/**
 * A double exposure: the scene seen through a profile of nobody in particular (or an animal's outline), on paper,
 * among strokes of its colours. It is a form, not a likeness.
 */
export const paintPortrait: Painter = (scene, random, frame) => {
  const palette = choosePalette(colours, scene);
  const { width, height } = frame;
  const size = Math.min(width * 0.86, height * 0.68);
  const flip = random.chance(0.5);
  const left = (width - size) / 2;
  const top = height * 0.99 - size * 1.4;
  const isAnimal = scene.themes.has('animal') && !scene.themes.has('person');
  const outline = isAnimal
    ? beast(width * 0.46, height * 0.99, size * 1.2)
    : profile(left + (flip ? size : 0), top, flip ? -size : size, size);
  // Inside, the scene has no person or animal once more.
  const themes = new Set([...scene.themes].filter((theme) => theme !== 'person' && theme !== 'animal'));
  if (themes.size === 0) for (const theme of ['mountains', 'forest', 'bird'] as const) themes.add(theme);
  const items = compose({ ...scene, themes }, palette, random, frame, {
    horizon: 0.6,
    ridges: 5,
    rise: 0.32,
    jagged: true,
    trees: 'pine',
    scale: 1.05,
  });
  const night = scene.time === 'night';
  const seed = random.whole(1, 999);
  const paper = mix('#f6efe2', palette.sky[3], night ? 0.3 : 0.14);
  const sun = { x: width * (flip ? 0.56 : 0.44), y: height * 0.4, r: width * 0.085 };

  const tint = mix(palette.sky[2], paper, 0.35);
  const defs = [
    skyGradient('sky', palette.sky),
    `<clipPath id="form"><path d="${outline}"/></clipPath>`,
    downward('fade', [
      [0, '#ffffff'],
      [0.78, '#ffffff'],
      [1, '#000000'],
    ]),
    `<mask id="dissolve">${cover(frame, 'url(#fade)')}</mask>`,
    outward('sun', [
      [0, palette.sun, 0.95],
      [0.3, palette.sun, 0.5],
      [1, palette.sun, 0],
    ]),
    `<filter id="bristle" x="-10%" y="-10%" width="120%" height="120%"><feTurbulence type="fractalNoise" baseFrequency=".008 .11" numOctaves="2" seed="${seed}" result="t"/><feDisplacementMap in="SourceGraphic" in2="t" scale="46" xChannelSelector="R" yChannelSelector="G" result="d"/><feColorMatrix in="t" values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 -5.5 3.5" result="gaps"/><feComposite in="d" in2="gaps" operator="in"/></filter>`,
    `<filter id="edge" x="-5%" y="-5%" width="110%" height="110%"><feTurbulence type="fractalNoise" baseFrequency=".02" numOctaves="3" seed="${seed + 1}"/><feDisplacementMap in="SourceGraphic" scale="7"/></filter>`,
    outward('wash', [
      [0, tint, 0.8],
      [0.8, tint, 0.7],
      [1, tint, 0],
    ]),
    grainFilter('paper', '.35', 0.9, seed + 2),
  ].join('');

  const paint = (item: Item): string => {
    if (item.kind === 'glint') return path(item.d, lighter(item.fill, 0.2), 'opacity=".45"');
    if (item.kind === 'steam' || item.kind === 'planet') return path(item.d, item.fill, 'opacity=".7"');
    const far = mix(item.fill, palette.sky[3], Math.max(0, 0.55 - item.depth));
    return path(item.d, item.depth === 1 ? darker(far, 0.15) : far);
  };
  const inside = [
    cover(frame, 'url(#sky)'),
    night ? stars(random, frame, 260, '#fffbe8') : '',
    glow({ ...sun, r: width * 0.36 }, 'sun'),
    path(disc(sun.x, sun.y, sun.r), lighter(palette.sun, 0.3), 'opacity=".9"'),
    path(cloud(random, width * 0.3, height * 0.44, width * 0.34), palette.cloud, 'opacity=".55"'),
    path(cloud(random, width * 0.72, height * 0.34, width * 0.3), palette.cloud, 'opacity=".4"'),
    ...items.map(paint),
    weather(random, frame, scene.snow, scene.rain),
  ].join('');
  const flock = Array.from({ length: 9 }, (_, k) =>
    gull(
      width * (flip ? 0.2 : 0.62) + (k * width * 0.028 + random.between(0, width * 0.05)),
      height * (0.2 - k * 0.016) + random.between(-0.02, 0.02) * height,
      width * random.between(0.008, 0.018),
    ),
  ).join('');
  const ink = darker(palette.near, 0.45);
  const lines = `<g fill="none" stroke="${ink}" stroke-linejoin="round"><path d="${outline}" stroke-width="${n(width * 0.0022)}" opacity=".8"/><path d="${outline}" stroke-width="${n(width * 0.0012)}" opacity=".4" transform="translate(${n(width * 0.008)} ${n(-height * 0.006)})"/></g>`;
  const body = [
    cover(frame, paper),
    `<ellipse cx="${n(width / 2)}" cy="${n(height * 0.5)}" rx="${n(width * 0.47)}" ry="${n(height * 0.42)}" fill="url(#wash)"/>`,
    strokes(random, frame, [
      palette.sky[1],
      palette.accent,
      palette.sky[2],
      mix(palette.light, palette.accent, 0.3),
    ]),
    `<g mask="url(#dissolve)"><g filter="url(#edge)"><g clip-path="url(#form)">${inside}</g>${lines}</g></g>`,
    path(flock, ink, 'opacity=".8"'),
    splashes(random, frame, [palette.accent, palette.sky[1], palette.light]),
    cover(frame, '#808080', 'filter="url(#paper)" opacity=".17"'),
  ];
  return svg(frame, defs, body.join(''));
};

/** A head in profile with neck and shoulders. The numbers are shares of its size: across, then down. */
function profile(x: number, y: number, sx: number, sy: number): string {
  const curves = [
    [0.06, 1.18, 0.2, 1.1, 0.3, 1.02],
    [0.36, 0.97, 0.34, 0.86, 0.3, 0.78],
    [0.18, 0.66, 0.12, 0.5, 0.16, 0.34],
    [0.21, 0.12, 0.42, 0.02, 0.6, 0.05],
    [0.76, 0.08, 0.84, 0.2, 0.83, 0.32],
    [0.83, 0.36, 0.82, 0.38, 0.84, 0.42],
    [0.865, 0.47, 0.905, 0.52, 0.905, 0.55],
    [0.905, 0.575, 0.868, 0.582, 0.855, 0.6],
    [0.86, 0.625, 0.885, 0.645, 0.875, 0.665],
    [0.87, 0.675, 0.865, 0.68, 0.86, 0.685],
    [0.88, 0.7, 0.875, 0.72, 0.86, 0.735],
    [0.855, 0.755, 0.865, 0.775, 0.865, 0.8],
    [0.86, 0.86, 0.78, 0.87, 0.7, 0.865],
    [0.64, 0.87, 0.61, 0.92, 0.62, 1],
    [0.63, 1.08, 0.84, 1.12, 0.98, 1.42],
  ];
  const place = (value: number, k: number) => n(k % 2 ? y + value * sy : x + value * sx);
  return `M${place(0.02, 0)} ${place(1.42, 1)}${curves.map((curve) => `C${curve.map(place).join(' ')}`).join('')}Z`;
}

/** Wide dry strokes of a brush behind the form. */
function strokes(random: Random, { width, height }: Frame, hues: [string, ...string[]]): string {
  const dry = Array.from({ length: 9 }, (_, k) => {
    const [x, y] = [random.between(0.02, 0.4) * width, random.between(0.16, 0.86) * height];
    const [l, thick] = [random.between(0.4, 0.75) * width, random.between(0.02, 0.06) * height];
    const d = `M${n(x)} ${n(y)}Q${n(x + l / 2)} ${n(y - thick * 2)} ${n(x + l)} ${n(y - thick)}L${n(x + l * 0.98)} ${n(y + thick * 0.6)}Q${n(x + l / 2)} ${n(y + thick * 0.4)} ${n(x)} ${n(y + thick * 1.4)}Z`;
    return path(d, hues[k % hues.length] ?? hues[0], `opacity="${n(random.between(0.3, 0.6))}"`);
  }).join('');
  return `<g filter="url(#bristle)">${dry}</g>`;
}

/** Drops of colour that fell beside the brush. */
function splashes(random: Random, { width, height }: Frame, hues: [string, ...string[]]): string {
  return hues
    .map((hue) =>
      path(
        Array.from({ length: 26 }, () => {
          const out = random.between(0.28, 0.5);
          const turn = random.between(0, 6.283);
          return disc(
            width * (0.5 + Math.cos(turn) * out),
            height * (0.45 + Math.sin(turn) * out * 0.9),
            width * random.between(0.001, 0.007) ** 1.02,
          );
        }).join(''),
        hue,
        'opacity=".75"',
      ),
    )
    .join('');
}
