import { darker, lighter, mix, type Hex } from '../colour.js';
import { choosePalette, type Palette } from '../palette.js';
import type { Random } from '../random.js';
import { disc, n } from '../shapes.js';
import { cover, downward, outward, path, stars, svg } from '../svg.js';
import type { Scene } from '../themes.js';
import type { Frame } from '../compose.js';
import type { Painter } from './style.js';

const colours = {
  day: 'cfe4f7 e3effa f1f5fb fbf6ee 9db4c8 86c06a 5cc3ea 2e8fd0 fff3c9 ffffff d8e4ee 3fa36a 7ccf7e ff6b5b ffd873',
  sunset:
    'f7b9a0 fbd0b0 fde0c4 fff0dc b59ab0 b3b26a f29f97 b8688f ffe2a0 fff2e4 edc6b8 5f9a62 b3bf66 e8506a ffdc7a',
  night:
    '1a2048 242d60 333f7c 46539a 5b68a8 3f7f78 3f6fd0 27479f e8ecff aab6ea 6f7fc8 2b7a68 4fb08a ff6f9a ffd56a',
};

const SIDE = 9;

interface Block {
  i: number;
  j: number;
  z: number;
}

interface Model {
  scene: Scene;
  palette: Palette;
  random: Random;
  /** A place on the board, z in tiles, as a point in the picture. */
  at: (i: number, j: number, z: number) => [number, number];
  /** Width of a tile, in pixels. */
  tile: number;
}

/** A small world of solid blocks on a studio table, seen from above at an angle, lit from the left. */
export const paintThreeD: Painter = (scene, random, frame) => {
  const palette = choosePalette(colours, scene);
  const { width, height } = frame;
  const tile = Math.min(width * 0.098, height * 0.115);
  const model: Model = {
    scene,
    palette,
    random,
    tile,
    at: (i, j, z) => [
      width / 2 + (i - j) * tile * 0.5,
      height * 0.36 + (i + j) * tile * 0.29 - z * tile * 0.5,
    ],
  };
  const ground = (i: number, j: number) => groundHeight(model, i, j, bumps);
  const bumps = Array.from({ length: SIDE * SIDE }, () => random.between(0, 1));
  let body = base(model);
  for (let sum = 0; sum <= 2 * (SIDE - 1); sum += 1) {
    for (let i = Math.max(0, sum - SIDE + 1); i <= Math.min(sum, SIDE - 1); i += 1) {
      const j = sum - i;
      const block: Block = { i, j, z: ground(i, j) };
      body += column(model, block) + thing(model, block);
    }
  }
  const night = scene.time === 'night' || scene.themes.has('space');
  const shadow = model.at(SIDE / 2, SIDE / 2, -1.6);
  const defs =
    downward('studio', [
      [0, palette.sky[0]],
      [0.55, palette.sky[2]],
      [1, palette.sky[3]],
    ]) +
    outward('spot', [
      [0, '#ffffff', night ? 0.22 : 0.75],
      [1, '#ffffff', 0],
    ]) +
    `<filter id="soft" x="-30%" y="-60%" width="160%" height="220%"><feGaussianBlur stdDeviation="${n(tile * 0.33)}"/></filter><filter id="lit" x="-80%" y="-80%" width="260%" height="260%"><feGaussianBlur stdDeviation="${n(tile * 0.12)}" result="b"/><feMerge><feMergeNode in="b"/><feMergeNode in="SourceGraphic"/></feMerge></filter>`;
  return svg(
    frame,
    defs + balls.defs(palette),
    cover(frame, 'url(#studio)') +
      (night ? stars(random, frame, 120, '#ffffff') : '') +
      `<ellipse cx="${n(width * 0.42)}" cy="${n(height * 0.4)}" rx="${n(width * 0.6)}" ry="${n(height * 0.5)}" fill="url(#spot)"/>` +
      `<ellipse cx="${n(shadow[0])}" cy="${n(shadow[1] + tile * 0.5)}" rx="${n(tile * 4.6)}" ry="${n(tile * 2)}" fill="#12142e" opacity=".4" filter="url(#soft)"/>` +
      body +
      floating(model, frame),
  );
};

const wet = ({ themes }: Scene, i: number, j: number) =>
  (themes.has('sea') && i + j > SIDE * 1.02) || (themes.has('lake') && Math.hypot(i - 5.3, j - 4.4) < 2.3);

function groundHeight({ scene }: Model, i: number, j: number, bumps: number[]): number {
  if (wet(scene, i, j)) return 0.1;
  const bump = bumps[i * SIDE + j] ?? 0;
  if (!scene.themes.has('mountains')) return 0.42 + Math.round(bump * 2) * 0.1;
  const peak =
    Math.max(0, 4.9 - Math.hypot(i - 1.3, j - 1.5) * 1.32) +
    Math.max(0, 3 - Math.hypot(i - 0.4, j - 5.2) * 1.15);
  return 0.45 + Math.round((peak + bump * 0.8) * 2) / 2.6;
}

/** The board that everything stands on. */
function base({ at, palette }: Model): string {
  const [a, b, c, d] = [at(0, 0, 0), at(SIDE, 0, 0), at(SIDE, SIDE, 0), at(0, SIDE, 0)];
  const [b2, c2, d2] = [at(SIDE, 0, -1.2), at(SIDE, SIDE, -1.2), at(0, SIDE, -1.2)];
  const earth = mix('#9a6a48', palette.near, 0.18);
  return (
    face([d, c, c2, d2], earth) + face([c, b, b2, c2], darker(earth, 0.28)) + face([a, b, c, d], palette.near)
  );
}

const face = (points: [number, number][], fill: Hex, more = '') =>
  path(
    `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}Z`,
    fill,
    more || `stroke="${fill}" stroke-width=".8"`,
  );

/** An upright block with its three visible faces. */
function prism(
  { at }: Model,
  i: number,
  j: number,
  from: number,
  to: number,
  size: number,
  fill: Hex,
): string {
  const e = i + size;
  const f = j + size;
  return (
    face([at(i, f, to), at(e, f, to), at(e, f, from), at(i, f, from)], darker(fill, 0.1)) +
    face([at(e, j, to), at(e, f, to), at(e, f, from), at(e, j, from)], darker(fill, 0.32)) +
    face([at(i, j, to), at(e, j, to), at(e, f, to), at(i, f, to)], lighter(fill, 0.16))
  );
}

function column(model: Model, { i, j, z }: Block): string {
  const { scene, palette } = model;
  if (wet(scene, i, j))
    return prism(model, i, j, 0, z, 1, mix(palette.water[0], palette.water[1], ((i * 3 + j * 5) % 4) / 9));
  const shore = scene.themes.has('sea') && i + j > SIDE * 0.86;
  const meadow = mix(palette.near, palette.foliage[1], ((i + j) % 2) * 0.35 + 0.15);
  const sandy = shore || scene.themes.has('desert');
  const soil = sandy ? mix('#f0d59a', palette.near, 0.12) : meadow;
  const rock = mix(palette.far, '#7f8796', 0.5);
  const fill =
    z > 2.7 ? lighter(palette.cloud, 0.2) : z > 1.25 ? rock : scene.snow ? lighter(soil, 0.65) : soil;
  return prism(model, i, j, 0, z, 1, fill);
}

/** What stands on a tile, if anything. */
function thing(model: Model, block: Block): string {
  const { scene, random, palette } = model;
  const { themes } = scene;
  const { i, j, z } = block;
  const key = `${i},${j}`;
  if (wet(scene, i, j)) return themes.has('boat') && key === '7,5' ? ship(model, block) : '';
  if (z > 1.25) return '';
  if (themes.has('lighthouse') && key === '6,2') return beacon(model, block);
  if (themes.has('person') && key === '5,3') return person(model, block);
  if (themes.has('animal') && key === '4,6' && !wet(scene, 4, 6)) return animal(model, block);
  if (themes.has('animal') && themes.has('lake') && key === '7,7') return animal(model, block);
  if (themes.has('food') && key === '6,6') return meal(model, block);
  if (themes.has('city') && i < 6 && j < 6 && random.chance(0.72)) return building(model, block);
  if (themes.has('village') && ['3,3', '6,2', '2,6'].includes(key)) return house(model, block);
  if (themes.has('tech') && random.chance(0.2)) {
    const tall = random.between(0.3, 1);
    return (
      prism(model, i + 0.25, j + 0.25, z, z + tall, 0.5, '#3a4468') +
      ball(model, i + 0.5, j + 0.5, z + tall + 0.34, 0.15, 'light', true)
    );
  }
  if (themes.has('desert')) return random.chance(0.16) ? cactus(model, block) : '';
  if (themes.has('flowers') && random.chance(0.62)) return blossom(model, block);
  const trees = themes.has('forest') ? 0.62 : themes.has('city') ? 0.1 : 0.2;
  return random.chance(trees) ? tree(model, block, palette) : '';
}

function tree(model: Model, { i, j, z }: Block, palette: Palette): string {
  const { random, scene } = model;
  const trunk = prism(model, i + 0.43, j + 0.43, z, z + 0.45, 0.14, '#8a5f40');
  if (random.chance(0.5)) {
    return (
      trunk +
      ball(model, i + 0.5, j + 0.5, z + 0.95, 0.36, random.chance(0.5) ? 'leaf' : 'leaf2') +
      ball(model, i + 0.38, j + 0.62, z + 1.28, 0.22, 'leaf2')
    );
  }
  const leaf = scene.snow ? lighter(palette.foliage[0], 0.5) : palette.foliage[0];
  return (
    trunk +
    [0, 1, 2]
      .map((k) =>
        cone(
          model,
          i + 0.5,
          j + 0.5,
          z + 0.35 + k * 0.42,
          0.44 - k * 0.1,
          0.8,
          mix(leaf, palette.foliage[1], k * 0.25),
        ),
      )
      .join('')
  );
}

/** A cone, lit from the left: two halves and a soft foot. */
function cone({ at, tile }: Model, i: number, j: number, z: number, r: number, h: number, fill: Hex): string {
  const [x, y] = at(i, j, z);
  const [rx, ry] = [r * tile * 0.8, r * tile * 0.46];
  const top = y - h * tile * 0.62;
  const half = (side: number) =>
    `M${n(x)} ${n(top)}L${n(x + side * rx)} ${n(y)}Q${n(x + side * rx * 0.7)} ${n(y + ry)} ${n(x)} ${n(y + ry)}Z`;
  return path(half(-1), lighter(fill, 0.14)) + path(half(1), darker(fill, 0.2));
}

const shades = ['leaf', 'leaf2', 'accent', 'light', 'pale', 'skin'] as const;
type Shade = (typeof shades)[number];

/** Balls are lit by one gradient for each colour. */
const balls = {
  defs(palette: Palette): string {
    const hue: Record<Shade, Hex> = {
      leaf: palette.foliage[0],
      leaf2: palette.foliage[1],
      accent: palette.accent,
      light: palette.light,
      pale: lighter(palette.cloud, 0.2),
      skin: '#e3b08d',
    };
    return shades
      .map(
        (name) =>
          `<radialGradient id="ball-${name}" cx=".36" cy=".3" r=".78"><stop offset="0" stop-color="${lighter(hue[name], 0.45)}"/><stop offset=".45" stop-color="${hue[name]}"/><stop offset="1" stop-color="${darker(hue[name], 0.42)}"/></radialGradient>`,
      )
      .join('');
  },
};

function ball(
  { at, tile }: Model,
  i: number,
  j: number,
  z: number,
  r: number,
  shade: Shade,
  lit = false,
): string {
  const [x, y] = at(i, j, z);
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r * tile)}" fill="url(#ball-${shade})"${lit ? ' filter="url(#lit)"' : ''}/>`;
}

function building(model: Model, { i, j, z }: Block): string {
  const { random, palette, at, scene } = model;
  const tall = random.between(0.9, 4.6) * (1 - (i + j) * 0.045);
  const fill = random.pick([
    lighter(palette.cloudShade, 0.2),
    mix(palette.accent, '#ffffff', 0.35),
    mix(palette.far, '#ffffff', 0.2),
    mix(palette.water[0], '#ffffff', 0.25),
  ]);
  let windows = '';
  for (let floor = z + 0.35; floor < z + tall - 0.25; floor += 0.42) {
    for (const k of [0.22, 0.44, 0.66]) {
      const quad = (p: (u: number, h: number) => [number, number]) =>
        face(
          [p(k, floor + 0.22), p(k + 0.13, floor + 0.22), p(k + 0.13, floor), p(k, floor)],
          scene.time === 'day' ? mix(palette.water[0], '#24406a', 0.4) : palette.light,
          'opacity=".9"',
        );
      if (random.chance(0.8)) windows += quad((u, h) => at(i + u, j + 0.9, h));
      if (random.chance(0.8)) windows += quad((u, h) => at(i + 0.9, j + u, h));
    }
  }
  return (
    prism(model, i + 0.1, j + 0.1, z, z + tall, 0.8, fill) +
    windows +
    prism(model, i + 0.3, j + 0.3, z + tall, z + tall + 0.16, 0.3, darker(fill, 0.1))
  );
}

function house(model: Model, { i, j, z }: Block): string {
  const { at, palette } = model;
  const top = z + 0.95;
  const walls = prism(model, i + 0.05, j + 0.1, z, top, 0.85, lighter(palette.cloud, 0.1));
  const [w, e, nn, s] = [i - 0.02, i + 0.98, j + 0.02, j + 1.02];
  const ridge = top + 0.75;
  const mid = (nn + s) / 2;
  const roof =
    face(
      [at(w, nn, top), at(e, nn, top), at(e, mid, ridge), at(w, mid, ridge)],
      darker(palette.accent, 0.15),
    ) +
    face([at(e, nn, top), at(e, s, top), at(e, mid, ridge)], darker(lighter(palette.cloud, 0.1), 0.24)) +
    face([at(w, s, top), at(e, s, top), at(e, mid, ridge), at(w, mid, ridge)], palette.accent);
  const pane = (u: number) =>
    face(
      [
        at(i + u, j + 0.95, z + 0.68),
        at(i + u + 0.2, j + 0.95, z + 0.68),
        at(i + u + 0.2, j + 0.95, z + 0.32),
        at(i + u, j + 0.95, z + 0.32),
      ],
      palette.light,
      ' ',
    );
  return walls + pane(0.15) + pane(0.58) + roof;
}

function beacon(model: Model, { i, j, z }: Block): string {
  const { palette } = model;
  return (
    [0, 1, 2, 3]
      .map((k) =>
        prism(
          model,
          i + 0.15 + k * 0.035,
          j + 0.15 + k * 0.035,
          z + k * 0.8,
          z + (k + 1) * 0.8,
          0.7 - k * 0.07,
          k % 2 ? palette.accent : lighter(palette.cloud, 0.3),
        ),
      )
      .join('') +
    prism(model, i + 0.32, j + 0.32, z + 3.2, z + 3.6, 0.36, palette.light) +
    ball(model, i + 0.5, j + 0.5, z + 3.5, 0.2, 'light', true) +
    cone(model, i + 0.5, j + 0.5, z + 3.62, 0.34, 0.6, darker(palette.accent, 0.1))
  );
}

const cactus = (model: Model, { i, j, z }: Block) =>
  prism(model, i + 0.4, j + 0.4, z, z + 1.3, 0.22, '#4f9a5c') +
  prism(model, i + 0.62, j + 0.44, z + 0.5, z + 0.66, 0.2, '#4f9a5c') +
  prism(model, i + 0.74, j + 0.44, z + 0.5, z + 1, 0.14, '#5aa866');

function blossom(model: Model, { i, j, z }: Block): string {
  const { random, palette } = model;
  return Array.from({ length: 3 }, () => {
    const [u, v] = [i + random.between(0.15, 0.85), j + random.between(0.15, 0.85)];
    const tall = random.between(0.25, 0.5);
    return (
      prism(model, u - 0.02, v - 0.02, z, z + tall, 0.04, palette.foliage[0]) +
      ball(
        model,
        u,
        v,
        z + tall + 0.1,
        random.between(0.09, 0.15),
        random.pick(['accent', 'light', 'pale'] as const),
      )
    );
  }).join('');
}

const person = (model: Model, { i, j, z }: Block) =>
  cone(model, i + 0.5, j + 0.5, z + 0.1, 0.42, 1.9, model.palette.accent) +
  ball(model, i + 0.5, j + 0.5, z + 2.05, 0.25, 'skin');

function animal(model: Model, { i, j, z }: Block): string {
  const fur = model.scene.accent ?? '#b5793f';
  const leg = (u: number, v: number) => prism(model, i + u, j + v, z, z + 0.4, 0.15, darker(fur, 0.15));
  return (
    leg(0.1, 0.2) +
    leg(0.75, 0.2) +
    leg(0.1, 0.55) +
    leg(0.75, 0.55) +
    prism(model, i + 0.05, j + 0.15, z + 0.38, z + 0.95, 0.6, fur) +
    prism(model, i + 0.4, j + 0.15, z + 0.38, z + 0.95, 0.6, fur) +
    prism(model, i + 0.68, j + 0.2, z + 0.85, z + 1.5, 0.5, lighter(fur, 0.12)) +
    prism(model, i + 0.72, j + 0.24, z + 1.5, z + 1.75, 0.13, fur) +
    prism(model, i + 0.72, j + 0.54, z + 1.5, z + 1.75, 0.13, fur)
  );
}

function meal(model: Model, { i, j, z }: Block): string {
  const { at, tile } = model;
  const [x, y] = at(i + 0.5, j + 0.5, z + 0.1);
  const plate = (r: number, dy: number, fill: Hex) =>
    `<ellipse cx="${n(x)}" cy="${n(y + dy)}" rx="${n(tile * r)}" ry="${n(tile * r * 0.58)}" fill="${fill}"/>`;
  return (
    plate(1.15, tile * 0.1, '#c3c9d6') +
    plate(1.15, 0, '#ffffff') +
    plate(0.85, 0, '#eef0f6') +
    ball(model, i + 0.2, j + 0.35, z + 0.55, 0.38, 'accent') +
    ball(model, i + 0.95, j + 0.3, z + 0.5, 0.33, 'light') +
    ball(model, i + 0.62, j + 0.8, z + 0.45, 0.3, 'leaf2') +
    ball(model, i + 0.5, j + 0.45, z + 1.05, 0.3, 'accent')
  );
}

function ship(model: Model, { i, j, z }: Block): string {
  const { at, palette } = model;
  return (
    prism(model, i + 0.1, j + 0.25, z, z + 0.4, 0.6, darker(palette.accent, 0.1)) +
    prism(model, i + 0.6, j + 0.25, z, z + 0.4, 0.6, darker(palette.accent, 0.1)) +
    face(
      [at(i + 0.6, j + 0.5, z + 0.45), at(i + 0.6, j + 0.5, z + 2.6), at(i + 1.4, j + 0.5, z + 0.6)],
      '#fffaf0',
      ' ',
    )
  );
}

/** Clouds, planets and birds over the board, of the same clay. */
function floating(model: Model, { width, height }: Frame): string {
  const { random, scene, palette, tile } = model;
  const solid = (x: number, y: number, r: number, shade: Shade) =>
    `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="url(#ball-${shade})"/>`;
  let out = '';
  if (scene.themes.has('space')) {
    const [x, y, r] = [width * 0.78, height * 0.17, tile * 0.95];
    const ring = (sweep: number) =>
      `<path d="M${n(x - r * 1.7)} ${n(y)}A${n(r * 1.7)} ${n(r * 0.5)} 0 0 ${sweep} ${n(x + r * 1.7)} ${n(y)}" fill="none" stroke="${lighter(palette.accent, 0.4)}" stroke-width="${n(r * 0.16)}"/>`;
    out += `<g transform="rotate(-16 ${n(x)} ${n(y)})">${ring(1)}${solid(x, y, r, 'accent')}${ring(0)}</g>${solid(width * 0.17, height * 0.2, tile * 0.42, 'light')}`;
  }
  for (const [share, y, s] of [
    [0.2, 0.3, 0.5],
    [0.82, 0.36, 0.42],
  ] as const) {
    const [cx, cy] = [
      width * (share + random.between(-0.04, 0.04)),
      height * (scene.themes.has('space') ? y + 0.1 : y - 0.05),
    ];
    const puffs = [
      [-1.3, 0.1, 0.6],
      [1.25, 0.12, 0.62],
      [-0.5, -0.25, 0.85],
      [0.5, -0.12, 0.78],
    ] as const;
    out += `<g opacity=".95">${puffs.map(([dx, dy, r]) => solid(cx + dx * tile * s, cy + dy * tile * s, r * tile * s, 'pale')).join('')}</g>`;
  }
  if (scene.themes.has('bird')) {
    for (let k = 0; k < 4; k += 1) {
      const [x, y, s] = [width * (0.4 + k * 0.07), height * (0.14 + (k % 2) * 0.045), tile * 0.24];
      out +=
        path(
          `M${n(x - s)} ${n(y - s * 0.5)}L${n(x)} ${n(y)}L${n(x)} ${n(y + s * 0.35)}Z`,
          lighter(palette.accent, 0.25),
        ) +
        path(
          `M${n(x + s)} ${n(y - s * 0.5)}L${n(x)} ${n(y)}L${n(x)} ${n(y + s * 0.35)}Z`,
          darker(palette.accent, 0.15),
        );
    }
  }
  if (scene.snow)
    out += path(
      Array.from({ length: 90 }, () =>
        disc(
          random.between(0.08, 0.92) * width,
          random.between(0.05, 0.85) * height,
          tile * random.between(0.02, 0.05),
        ),
      ).join(''),
      '#ffffff',
      'opacity=".9"',
    );
  return out;
}
