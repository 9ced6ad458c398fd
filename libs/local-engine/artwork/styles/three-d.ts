import { darker, lighter, mix } from '../colour.js';
import { choosePalette } from '../palette.js';
import { disc, n } from '../shapes.js';
import type { Frame } from '../studio.js';
import { cover, downward, outward, path, stars, svg } from '../svg.js';
import type { Painter } from './style.js';
import { balls, face, prism, SIDE, wet, type Block, type Model, type Shade } from './three-d-model.js';
import { thing } from './three-d-things.js';

const colours = {
  day: 'cfe4f7 e3effa f1f5fb fbf6ee 9db4c8 86c06a 5cc3ea 2e8fd0 fff3c9 ffffff d8e4ee 3fa36a 7ccf7e ff6b5b ffd873',
  sunset:
    'f7b9a0 fbd0b0 fde0c4 fff0dc b59ab0 b3b26a f29f97 b8688f ffe2a0 fff2e4 edc6b8 5f9a62 b3bf66 e8506a ffdc7a',
  night:
    '1a2048 242d60 333f7c 46539a 5b68a8 3f7f78 3f6fd0 27479f e8ecff aab6ea 6f7fc8 2b7a68 4fb08a ff6f9a ffd56a',
};

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
