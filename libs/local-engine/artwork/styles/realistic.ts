import { darker, lighter, mix } from '../colour.js';
import { compose } from '../compose.js';
import type { Item } from '../studio.js';
import { choosePalette } from '../palette.js';
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
  day: '3f76b5 7fabd6 b9d3e6 e6ecec 93aebf 3e5334 7fa3ba 2c5871 fff6dc ffffff a9b6c4 2f4a2a 5d7440 b5482f ffdf9a',
  sunset:
    '34416e 7a628d d98b6d f6c98b 8f7c97 2b2a33 d99b7c 4a4560 ffe0a0 f3b48f 8f6480 2b3129 4d4a33 b0402f ffc860',
  night:
    '060b1c 0f1c3a 20365c 3d5578 24385a 0b1220 2a456b 0a1730 e8eefc 46597c 1a2744 0f1f20 1d3330 8f3a3a ffc978',
};

/** A wide view as a camera gives it: haze over distance, soft clouds, grain, a darker rim. */
export const paintRealistic: Painter = (scene, random, frame) => {
  const palette = choosePalette(colours, scene);
  const { width, height } = frame;
  const horizon = 0.56;
  const items = compose(scene, palette, random, frame, {
    horizon,
    ridges: 6,
    rise: 0.34,
    jagged: true,
    trees: 'pine',
    scale: 1,
  });
  const night = scene.time === 'night';
  const sun = {
    x: width * random.between(0.24, 0.76),
    y: height * (scene.time === 'sunset' ? horizon - 0.07 : 0.17),
    r: width * (night ? 0.035 : 0.028),
  };
  const seed = random.whole(1, 999);
  const haze = mix(palette.sky[3], palette.sun, night ? 0 : 0.18);

  const defs = [
    skyGradient('sky', palette.sky),
    outward('sun', [
      [0, palette.sun, 0.95],
      [0.12, palette.sun, 0.55],
      [0.4, palette.sun, 0.18],
      [1, palette.sun, 0],
    ]),
    downward('haze', [
      [0, haze, 0],
      [0.55, haze, scene.mist ? 0.9 : 0.55],
      [1, haze, 0],
    ]),
    outward('rim', [
      [0, '#000000', 0],
      [0.62, '#000000', 0],
      [1, '#000000', 0.5],
    ]),
    downward('water', [
      [0, mix(palette.water[0], haze, 0.55)],
      [0.3, palette.water[0]],
      [1, palette.water[1]],
    ]),
    `<filter id="clouds" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="${night ? '.0022 .0075' : '.0028 .0095'}" numOctaves="6" seed="${seed}"/><feColorMatrix values="${whiteOf(palette.cloud)} 0 0 0 3.1 -1.45"/></filter>`,
    downward('fade', [
      [0, '#ffffff', 0.95],
      [0.75, '#ffffff', 0.75],
      [1, '#ffffff', 0],
    ]),
    `<mask id="high"><rect width="${width}" height="${height * horizon}" fill="url(#fade)"/></mask>`,
    `<filter id="soil" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".035 .11" numOctaves="5" seed="${seed + 1}" result="t"/><feColorMatrix in="t" values="0 0 0 0 0  0 0 0 0 0.02  0 0 0 0 0.03  0 0 0 1.2 -0.5" result="dark"/><feComposite in="dark" in2="SourceAlpha" operator="in" result="own"/><feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="own"/></feMerge></filter>`,
    `<filter id="rock" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".012 .03" numOctaves="6" seed="${seed + 2}" result="t"/><feDiffuseLighting in="t" surfaceScale="9" lighting-color="#ffffff" result="lit"><feDistantLight azimuth="225" elevation="52"/></feDiffuseLighting><feComposite in="lit" in2="SourceGraphic" operator="arithmetic" k1="1.15" k2="0" k3="0.12" k4="0" result="m"/><feComposite in="m" in2="SourceAlpha" operator="in"/></filter>`,
    '<filter id="far"><feGaussianBlur stdDeviation="1.1"/></filter><filter id="lamp" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="5" result="b"/><feMerge><feMergeNode in="b"/><feMergeNode in="SourceGraphic"/></feMerge></filter>',
    grainFilter('grain', '.9', 0.55, seed + 3),
  ].join('');

  const sky = [
    cover(frame, 'url(#sky)'),
    night ? stars(random, frame, 330, '#eef3ff') : '',
    glow({ ...sun, r: width * (night ? 0.3 : 0.62) }, 'sun'),
    `<circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill="${lighter(palette.sun, 0.5)}"/>`,
    `<g mask="url(#high)" opacity="${night ? 0.55 : 0.92}"><rect width="${width}" height="${height * horizon}" filter="url(#clouds)"/></g>`,
  ];
  const paint = (item: Item): string => {
    const far = mix(item.fill, haze, Math.max(0, 0.62 - item.depth * 0.95));
    if (item.kind === 'water')
      return path(item.d, 'url(#water)') + reflection(sun.x, width, height, horizon, palette.sun, night);
    if (item.kind === 'glint') return path(item.d, item.fill, 'opacity=".28"');
    if (item.kind === 'wire') return path(item.d, item.fill, 'opacity=".45"');
    if (item.kind === 'planet')
      return path(item.d, mix(item.fill, palette.sky[1], 0.35), 'opacity=".85" filter="url(#far)"');
    if (item.kind === 'steam') return path(item.d, item.fill, 'opacity=".3" filter="url(#far)"');
    if ((item.kind === 'window' && scene.time !== 'day') || item.kind === 'lamp')
      return path(item.d, item.fill, 'filter="url(#lamp)"');
    if (item.kind === 'leaves' && item.depth === 1) return path(item.d, darker(far, 0.25));
    return path(item.d, far);
  };
  // Haze lies between what is far and what is near, where the land begins.
  const nearFrom = items.findIndex(({ depth }) => depth >= 0.4);
  const cut = nearFrom < 0 ? items.length : nearFrom;
  // Each texture is computed once for all that has it: that is what takes the time here.
  const rocks = items.slice(0, cut).filter(({ kind }) => ['ridge', 'snowcap', 'leaves'].includes(kind));
  const firstHill = items.findIndex(({ kind }) => kind === 'hill');
  const soil = firstHill < 0 ? items.length : firstHill;
  const ground = items
    .slice(soil)
    .filter(({ kind }) => kind === 'hill' || kind === 'trunk' || kind === 'leaves');
  const hazeBand = `<rect y="${height * (horizon - 0.2)}" width="${width}" height="${height * 0.34}" fill="url(#haze)"/>`;
  const body = [
    ...sky,
    `<g filter="url(#rock)">${rocks.map(paint).join('')}</g>`,
    ...items
      .slice(0, cut)
      .filter((item) => !rocks.includes(item))
      .map(paint),
    hazeBand,
    ...items.slice(cut, soil).map(paint),
    `<g filter="url(#soil)">${ground.map(paint).join('')}</g>`,
    ...items
      .slice(soil)
      .filter((item) => !ground.includes(item))
      .map(paint),
    weather(random, frame, scene.snow, scene.rain),
    `<ellipse cx="${width / 2}" cy="${height / 2}" rx="${width * 0.78}" ry="${height * 0.78}" fill="url(#rim)"/>`,
    cover(frame, '#808080', 'filter="url(#grain)" opacity=".16"'),
  ];
  return svg(frame, defs, body.join(''));
};

/** The rows of a colour matrix that paint everything in one colour. */
function whiteOf(colour: string): string {
  const channel = (at: number) => (parseInt(colour.slice(at, at + 2), 16) / 255).toFixed(3);
  return `0 0 0 0 ${channel(1)}  0 0 0 0 ${channel(3)}  0 0 0 0 ${channel(5)} `;
}

/** The sun's path on water. */
function reflection(
  x: number,
  width: number,
  height: number,
  horizon: number,
  colour: string,
  night: boolean,
): string {
  return Array.from({ length: 26 }, (_, k) => {
    const t = k / 26;
    const half = width * (0.012 + t * 0.09) * (k % 3 ? 1 : 0.6);
    const y = height * (horizon + 0.045 + t * 0.38);
    return `<ellipse cx="${x + ((k * 37) % 11) - 5}" cy="${y}" rx="${half}" ry="${height * (0.001 + t * 0.0035)}" fill="${colour}" opacity="${(night ? 0.35 : 0.42) * (1 - t * 0.75)}"/>`;
  }).join('');
}
