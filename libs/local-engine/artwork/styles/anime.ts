import { darker, lighter, mix } from '../colour.js';
import { compose } from '../compose.js';
import type { Item } from '../studio.js';
import { choosePalette } from '../palette.js';
import { box, cloud, disc, n, sparkle } from '../shapes.js';
import { cover, glow, outward, path, skyGradient, stars, svg, weather } from '../svg.js';
import type { Painter } from './style.js';

const colours = {
  day: '0c4fd0 2b86f0 6cc8fb d2f6ff 5f9be0 16408a 4fb6f2 0f55b8 ffffff ffffff 9cc4f7 0f6a5c 2fae74 ff3d6e fff3a8',
  sunset:
    '2b1a78 8a2fa8 ff5f8f ffc46b 8a4bb0 231553 ff8f8f 54208a fff1b0 ff9fb0 8a3fa8 241a52 4a2a78 ff4a5f ffe27a',
  night:
    '050a3a 10207a 2c46c0 7a6ff0 2a3aa0 070b34 2f55d0 0a1256 f4f0ff 5a6ae0 1a2a8c 08203f 134a63 ff4fa0 8af3ff',
};

/** A tilted view against the light: hard-edged clouds in three tones, beams, a rim of light on everything, flares. */
export const paintAnime: Painter = (scene, random, frame) => {
  const palette = choosePalette(colours, scene);
  const { width, height } = frame;
  const items = compose(scene, palette, random, frame, {
    horizon: 0.58,
    ridges: 4,
    rise: 0.3,
    jagged: true,
    trees: 'round',
    scale: 1.15,
  });
  const night = scene.time === 'night';
  const left = random.chance(0.5);
  const sun = {
    x: width * (left ? 0.3 : 0.7),
    y: height * (scene.time === 'sunset' ? 0.48 : 0.26),
    r: width * 0.05,
  };

  const defs = [
    skyGradient('sky', palette.sky),
    outward('sun', [
      [0, '#ffffff', 1],
      [0.1, palette.sun, 0.9],
      [0.35, mix(palette.sun, palette.sky[3], 0.5), 0.4],
      [1, palette.sky[3], 0],
    ]),
    outward('flare', [
      [0, palette.light, 0.05],
      [0.85, palette.light, 0.28],
      [1, palette.light, 0],
    ]),
    `<linearGradient id="beam" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.sun}" stop-opacity=".5"/><stop offset="1" stop-color="${palette.sun}" stop-opacity="0"/></linearGradient>`,
    '<filter id="soft" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="7" result="b"/><feMerge><feMergeNode in="b"/><feMergeNode in="SourceGraphic"/></feMerge></filter>',
  ].join('');

  const tower = (x: number, base: number, size: number) => {
    const d = cloud(random, x, base, size) + cloud(random, x + size * 0.1, base - size * 0.13, size * 0.62);
    const away = left ? 1 : -1;
    const shift = (by: number) => `transform="translate(${n(-away * size * by)} ${n(-size * by * 0.7)})"`;
    return (
      path(d, palette.cloudShade) +
      path(d, mix(palette.cloudShade, palette.cloud, 0.55), shift(0.018)) +
      path(d, palette.cloud, shift(0.036))
    );
  };
  const streaks = Array.from({ length: 5 }, () => {
    const [x, y, l] = [
      random.between(-0.1, 0.8) * width,
      random.between(0.06, 0.4) * height,
      random.between(0.15, 0.5) * width,
    ];
    return `M${n(x)} ${n(y)}q${n(l / 2)} ${n(-l * 0.06)} ${n(l)} ${n(-l * 0.1)}q${n(-l / 2)} ${n(l * 0.075)} ${n(-l)} ${n(l * 0.1)}Z`;
  }).join('');
  const beams = Array.from({ length: 9 }, (_, k) => {
    const turn = -70 + k * 17.5 + random.between(-6, 6);
    const half = width * random.between(0.012, 0.05);
    return `<path d="M0 0L${n(half)} ${n(height * 1.3)}L${n(-half)} ${n(height * 1.3)}Z" fill="url(#beam)" opacity=".5" transform="translate(${n(sun.x)} ${n(sun.y)}) rotate(${n(turn)})"/>`;
  }).join('');

  const rim = mix(palette.sun, palette.sky[2], 0.35);
  const paint = (item: Item): string => {
    if (item.kind === 'water')
      return (
        path(item.d, item.fill) +
        `<ellipse cx="${n(sun.x)}" cy="${n(height * 0.72)}" rx="${n(width * 0.3)}" ry="${n(height * 0.3)}" fill="url(#sun)" opacity=".35"/>`
      );
    if (item.kind === 'glint') return path(item.d, lighter(item.fill, 0.5), 'opacity=".7"');
    if (item.kind === 'window' || item.kind === 'lamp' || item.kind === 'wire')
      return path(item.d, item.fill, night || item.kind !== 'window' ? 'filter="url(#soft)"' : '');
    if (item.kind === 'flower' || item.kind === 'snowcap' || item.kind === 'steam')
      return path(item.d, item.fill);
    if (item.kind === 'stem' || item.kind === 'gull') return path(item.d, darker(item.fill, 0.25));
    const offset = `transform="translate(${n((left ? -1 : 1) * width * 0.0025)} ${n(-width * 0.0032)})"`;
    const against = item.depth > 0.6 ? darker(item.fill, item.depth === 1 ? 0.32 : 0.18) : item.fill;
    return path(item.d, lighter(mix(rim, item.fill, 0.25), 0.15), offset) + path(item.d, against);
  };
  const flares = [0.35, 0.75, 1.15, 1.5].map((t, k) => {
    const to = { x: width - sun.x, y: height * 0.95 };
    return glow(
      {
        x: sun.x + (to.x - sun.x) * t,
        y: sun.y + (to.y - sun.y) * t,
        r: width * ([0.025, 0.06, 0.035, 0.09][k] ?? 0),
      },
      'flare',
    );
  });
  const tilt = `transform="rotate(${left ? -3.5 : 3.5} ${n(width / 2)} ${n(height * 0.7)}) translate(${n(-width * 0.06)} ${n(-height * 0.045)}) scale(1.12)"`;
  const motes = Array.from({ length: 46 }, () =>
    sparkle(random.between(0, width), random.between(0.15, 1) * height, width * random.between(0.002, 0.008)),
  ).join('');
  const body = [
    cover(frame, 'url(#sky)'),
    night || scene.time === 'sunset' ? stars(random, frame, night ? 300 : 90, '#ffffff') : '',
    path(streaks, '#ffffff', 'opacity=".55"'),
    glow({ ...sun, r: width * 0.55 }, 'sun'),
    tower(width * (left ? 0.78 : 0.22), height * 0.62, width * 0.66),
    tower(width * (left ? 0.08 : 0.92), height * 0.63, width * 0.4),
    path(disc(sun.x, sun.y, sun.r), '#ffffff', 'filter="url(#soft)"'),
    `<g ${tilt}>${items.map(paint).join('')}</g>`,
    beams,
    poles(
      frame,
      !left,
      darker(palette.near, 0.6),
      scene.themes.has('city') || scene.themes.has('village') || scene.themes.has('tech'),
    ),
    ...flares,
    weather(random, frame, scene.snow, scene.rain),
    path(motes, palette.light, 'opacity=".8"'),
  ];
  return svg(frame, defs, body.join(''));
};

/** A pole with its cables, against the sky. */
function poles(
  { width, height }: Parameters<Painter>[2],
  right: boolean,
  fill: string,
  wanted: boolean,
): string {
  if (!wanted) return '';
  const x = width * (right ? 0.88 : 0.12);
  const top = height * 0.16;
  const arm = width * 0.07;
  const bars =
    box(x - 5, top, 10, height) +
    box(x - arm, top + height * 0.03, arm * 2, 7) +
    box(x - arm * 0.7, top + height * 0.075, arm * 1.4, 6);
  const cables = [-1, -0.4, 0.4, 1]
    .map(
      (k) =>
        `<path d="M${n(x + arm * k)} ${n(top + height * 0.035)}Q${n(width / 2)} ${n(top + height * 0.24 + k * 12)} ${right ? -10 : width + 10} ${n(top + height * (0.02 + k * 0.02))}" stroke="${fill}" stroke-width="2.4" fill="none"/>`,
    )
    .join('');
  return path(bars, fill) + cables;
}
