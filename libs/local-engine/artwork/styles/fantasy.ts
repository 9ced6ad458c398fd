import { darker, lighter, mix } from '../colour.js';
import { compose } from '../compose.js';
import type { Item } from '../studio.js';
import { choosePalette } from '../palette.js';
import { crystal, disc, n, sparkle } from '../shapes.js';
import { cover, glow, outward, path, skyGradient, stars, svg, weather } from '../svg.js';
import type { Painter } from './style.js';

const colours = {
  day: '2a2a7a 5a4fc0 b58be8 ffd9ef 9a86d8 3a4a8f 8fb8f0 3f5fb8 fff4d8 f4e0ff b59be0 2f7f86 5fc0a0 ff7ac0 fff0a8',
  sunset:
    '2b1250 7a2a8a e05f9a ffc08a a05fa8 3a1f5c e08fb0 5a2f86 ffe0b8 ffb8d0 a05fb0 2f4a78 5a7fa0 ff5f9a ffe08a',
  night:
    '070322 1c0f4a 4a1f86 b04fc0 4a3a9a 120a34 5a4fd0 1a1258 e8dcff 8a6fe0 3a2a86 14405c 1f7f86 e04fd0 7afff0',
};

/** A dream: two moons, veils of light, floating islands, a castle far off, crystals that glow. */
export const paintFantasy: Painter = (scene, random, frame) => {
  const palette = choosePalette(colours, scene);
  const { width, height } = frame;
  const items = compose(scene, palette, random, frame, {
    horizon: 0.62,
    ridges: 4,
    rise: 0.3,
    jagged: true,
    trees: 'pine',
    scale: 1,
  });

  const defs = [
    skyGradient('sky', palette.sky),
    outward('moon', [
      [0, palette.sun, 0.9],
      [0.3, palette.sun, 0.35],
      [1, palette.sun, 0],
    ]),
    outward('orb', [
      [0, '#ffffff', 1],
      [0.18, palette.light, 0.9],
      [0.5, palette.light, 0.28],
      [1, palette.light, 0],
    ]),
    `<linearGradient id="veil" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.light}" stop-opacity="0"/><stop offset=".55" stop-color="${mix(palette.light, palette.foliage[1], 0.4)}" stop-opacity=".5"/><stop offset="1" stop-color="${palette.accent}" stop-opacity="0"/></linearGradient>`,
    '<filter id="blur"><feGaussianBlur stdDeviation="9"/></filter>',
    '<filter id="shine" x="-40%" y="-40%" width="180%" height="180%"><feGaussianBlur stdDeviation="8" result="b"/><feMerge><feMergeNode in="b"/><feMergeNode in="SourceGraphic"/></feMerge></filter>',
    outward('dusk', [
      [0, '#000000', 0],
      [0.6, '#000000', 0],
      [1, darker(palette.sky[0], 0.3), 0.75],
    ]),
  ].join('');

  const veils = Array.from({ length: 3 }, (_, k) => {
    const y = height * (0.06 + k * 0.09);
    const points = Array.from(
      { length: 7 },
      (__, i) => [(i / 6) * width, y + random.between(-0.07, 0.07) * height] as const,
    );
    const curve = (by: number) =>
      points
        .slice(1)
        .map(
          ([x, py], i) =>
            `Q${n((points[i] as readonly [number, number])[0] + width / 14)} ${n(py + by - height * 0.05)} ${n(x)} ${n(py + by)}`,
        )
        .join('');
    const tall = height * random.between(0.16, 0.26);
    const back = [...points]
      .reverse()
      .map(([x, py]) => `L${n(x)} ${n(py + tall)}`)
      .join('');
    return `<path d="M0 ${n((points[0] as readonly [number, number])[1])}${curve(0)}${back}Z" fill="url(#veil)" filter="url(#blur)"/>`;
  });
  const moon = { x: width * random.between(0.25, 0.42), y: height * 0.25, r: width * 0.11 };
  const second = { x: moon.x + width * 0.2, y: moon.y - height * 0.1, r: width * 0.036 };
  const disk = ({ x, y, r }: typeof moon, fill: string) =>
    path(disc(x, y, r), fill) +
    path(
      disc(x + r * 0.3, y - r * 0.1, r * 0.16) +
        disc(x - r * 0.3, y + r * 0.35, r * 0.11) +
        disc(x - r * 0.15, y - r * 0.4, r * 0.08),
      darker(fill, 0.14),
      'opacity=".6"',
    );

  const islands = [
    [random.between(0.66, 0.8), 0.42, 0.17],
    [random.between(0.08, 0.2), 0.5, 0.1],
    [random.between(0.48, 0.6), 0.52, 0.055],
  ].map(([x = 0, y = 0, s = 0]) => island(random, width * x, height * y, width * s, palette));

  const paint = (item: Item): string => {
    if (item.kind === 'ridge')
      return path(item.d, mix(item.fill, palette.sky[3], Math.max(0, 0.45 - item.depth)));
    if (item.kind === 'glint') return path(item.d, lighter(item.fill, 0.3), 'opacity=".5"');
    if (['window', 'lamp', 'wire', 'flower'].includes(item.kind))
      return path(item.d, lighter(item.fill, 0.2), 'filter="url(#shine)"');
    if (item.kind === 'steam') return path(item.d, item.fill, 'opacity=".5"');
    if (item.depth > 0.6)
      return (
        path(
          item.d,
          lighter(mix(item.fill, palette.accent, 0.3), 0.2),
          `transform="translate(0 ${n(-width * 0.003)})"`,
        ) + path(item.d, darker(item.fill, 0.2))
      );
    return path(item.d, item.fill);
  };
  const horizonAt = items.findIndex(
    ({ depth, kind }) => kind !== 'planet' && kind !== 'wire' && kind !== 'lamp' && depth > 0.1,
  );
  const split = horizonAt < 0 ? 0 : horizonAt;
  const clusters = [0.06, 0.17, 0.83, 0.94].map((share) => {
    const [x, base] = [width * (share + random.between(-0.02, 0.02)), height * 1.01];
    return [0, 1, 2]
      .map((k) => {
        const tall = height * random.between(0.09, 0.2);
        const d = crystal(
          x + (k - 1) * tall * 0.22,
          base,
          tall * (k === 1 ? 1.2 : 0.8),
          (k - 1) * tall * 0.16,
        );
        return (
          path(d, mix(palette.light, palette.accent, k / 2), 'opacity=".86" filter="url(#shine)"') +
          path(
            d,
            '#ffffff',
            `opacity=".3" transform="translate(${n(tall * 0.03)} 0)" clip-path="inset(0 50% 0 0)"`,
          )
        );
      })
      .join('');
  });
  const orbs = Array.from({ length: 24 }, () =>
    glow(
      {
        x: random.between(0, width),
        y: random.between(0.4, 1) * height,
        r: width * random.between(0.006, 0.024),
      },
      'orb',
    ),
  );
  const dust = Array.from({ length: 60 }, () =>
    sparkle(random.between(0, width), random.between(0, 1) * height, width * random.between(0.0015, 0.006)),
  ).join('');
  const body = [
    cover(frame, 'url(#sky)'),
    stars(random, frame, scene.time === 'day' ? 110 : 300, '#ffffff'),
    ...veils,
    glow({ ...moon, r: width * 0.4 }, 'moon'),
    disk(moon, lighter(palette.sun, 0.2)),
    disk(second, mix(palette.sun, palette.accent, 0.4)),
    ...items.slice(0, split).map(paint),
    castle(
      width * random.between(0.55, 0.7),
      height * 0.635,
      height * 0.24,
      mix(palette.far, palette.near, 0.3),
      palette.light,
    ),
    ...islands,
    ...items.slice(split).map(paint),
    ...clusters,
    weather(random, frame, scene.snow, scene.rain),
    ...orbs,
    path(dust, palette.light, 'opacity=".85"'),
    `<ellipse cx="${width / 2}" cy="${height * 0.48}" rx="${width * 0.82}" ry="${height * 0.82}" fill="url(#dusk)"/>`,
  ];
  return svg(frame, defs, body.join(''));
};

type Colours = ReturnType<typeof choosePalette>;

/** Rock that hangs in the air, grass and a small tree on it, water falling from its edge. */
function island(random: Parameters<Painter>[1], x: number, y: number, s: number, palette: Colours): string {
  const rock = mix(palette.far, palette.near, 0.55);
  let under = `M${n(x - s)} ${n(y)}`;
  for (let k = 1; k < 9; k += 1) {
    const along = k / 9;
    const deep = Math.sin(along * Math.PI) * s * (k % 2 ? 1.15 : 0.8) * random.between(0.85, 1.15);
    under += `L${n(x - s + along * 2 * s)} ${n(y + deep)}`;
  }
  under += `L${n(x + s)} ${n(y)}Z`;
  const green = mix(palette.foliage[0], palette.foliage[1], 0.5);
  const top = `M${n(x - s * 1.03)} ${n(y)}Q${n(x)} ${n(y - s * 0.42)} ${n(x + s * 1.03)} ${n(y)}Q${n(x)} ${n(y + s * 0.2)} ${n(x - s * 1.03)} ${n(y)}Z`;
  const fall = `M${n(x + s * 0.5)} ${n(y)}q${n(s * 0.12)} ${n(s * 0.8)} ${n(s * 0.05)} ${n(s * 1.9)}h${n(s * 0.1)}q${n(s * 0.05)} ${n(-s)} ${n(-s * 0.02)} ${n(-s * 1.9)}Z`;
  const tree =
    disc(x - s * 0.3, y - s * 0.62, s * 0.26) +
    disc(x - s * 0.14, y - s * 0.52, s * 0.2) +
    disc(x - s * 0.46, y - s * 0.5, s * 0.2);
  const stem = `M${n(x - s * 0.34)} ${n(y - s * 0.15)}L${n(x - s * 0.31)} ${n(y - s * 0.55)}h${n(s * 0.05)}L${n(x - s * 0.24)} ${n(y - s * 0.15)}Z`;
  return (
    path(fall, palette.cloud, 'opacity=".5"') +
    path(under, rock) +
    path(under, darker(rock, 0.3), `opacity=".5" transform="translate(${n(s * 0.12)} ${n(-s * 0.04)})"`) +
    path(top, green) +
    path(stem, darker(rock, 0.5)) +
    path(tree, mix(palette.accent, palette.foliage[1], 0.25))
  );
}

function castle(x: number, base: number, h: number, fill: string, light: string): string {
  let [walls, windows] = ['', ''];
  for (const [dx, tall, wide] of [
    [-0.42, 0.55, 0.13],
    [-0.2, 0.8, 0.15],
    [0, 1, 0.2],
    [0.22, 0.74, 0.14],
    [0.42, 0.5, 0.12],
  ] as const) {
    const [tx, w, t] = [x + dx * h, wide * h, tall * h * 0.7];
    walls += `M${n(tx - w / 2)} ${n(base)}V${n(base - t)}L${n(tx - w * 0.62)} ${n(base - t)}L${n(tx)} ${n(base - t - tall * h * 0.42)}L${n(tx + w * 0.62)} ${n(base - t)}L${n(tx + w / 2)} ${n(base - t)}V${n(base)}Z`;
    windows += `M${n(tx - w * 0.1)} ${n(base - t * 0.78)}v${n(-w * 0.3)}a${n(w * 0.1)} ${n(w * 0.1)} 0 0 1 ${n(w * 0.2)} 0v${n(w * 0.3)}Z`;
  }
  walls += `M${n(x - h * 0.5)} ${n(base + h * 0.05)}V${n(base - h * 0.22)}H${n(x + h * 0.5)}V${n(base + h * 0.05)}Z`;
  return path(walls, fill) + path(windows, light, 'filter="url(#shine)"');
}
