import { darker, lighter, mix, type Hex } from '../colour.js';
import type { Palette } from '../palette.js';
import { n } from '../shapes.js';
import { ball, cone, face, prism, wet, type Block, type Model } from './three-d-model.js';

/** What stands on a tile, if anything. */
export function thing(model: Model, block: Block): string {
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
