import { darker, lighter, mix, type Hex } from './colour.js';
import * as shapes from './shapes.js';
import { groundAt, heights, land, n } from './shapes.js';
import type { Studio } from './studio.js';

/** The land in front: hills with what grows, stands and walks on them. */
export function grounds(studio: Studio): void {
  const { scene, palette, random, frame, composition, items } = studio;
  const { width, height } = frame;
  const wet = scene.themes.has('sea') || scene.themes.has('lake');
  const hills = wet ? 1 : 2;
  const side = random.chance(0.5);
  for (let k = 0; k < hills; k += 1) {
    const last = k === hills - 1;
    const depth = last ? 1 : 0.7;
    const base = height * (wet ? 1.06 : composition.horizon + (last ? 0.36 : 0.2));
    const rise = height * (wet ? 0.24 : 0.13);
    let line = heights(random, 60, false);
    // A shore is high on one side and gives way to the water on the other.
    if (wet) line = line.map((value, i) => value * 0.35 + (side ? i : 59 - i) ** 1.5 / 59 ** 1.5);
    const fill = mix(palette.far, palette.near, last ? 1 : 0.75);
    items.push({ kind: 'hill', d: land(line, width, base, rise, height, true), fill, depth });
    const at = (x: number) => groundAt(line, x, width, base, rise);
    const sideX = (share: number) => width * (wet ? (side ? 1 - share * 0.4 : share * 0.4) : share);
    if (scene.themes.has('village') && (last || !wet)) {
      for (let house = 0; house < (last ? 1 : 3); house += 1) {
        const x = sideX(random.between(0.12, 0.88));
        cottage(studio, x, at(x) + height * 0.01, height * (last ? 0.13 : 0.07) * composition.scale, depth);
      }
    }
    if (last && scene.themes.has('lighthouse'))
      lighthouse(studio, sideX(0.32), at(sideX(0.32)) + 6, height * 0.36);
    if (scene.themes.has('forest') || (scene.themes.has('village') && last)) {
      const trees = scene.themes.has('forest') ? (last ? 5 : 8) : 2;
      for (let tree = 0; tree < trees; tree += 1) {
        // The middle stays open, so that one looks into the picture.
        const share = random.between(0, 0.34);
        const x = sideX(random.chance(0.5) ? share : 1 - share);
        plant(
          studio,
          x,
          at(x) + height * 0.015,
          height * (last ? 0.3 : 0.15) * random.between(0.75, 1.2),
          depth,
        );
      }
    }
    if (last && scene.themes.has('desert')) cacti(studio, at);
    if (scene.themes.has('flowers')) meadow(studio, at, depth);
    if (last) forms(studio, sideX, at);
  }
}

function plant(
  { palette, random, composition, items }: Studio,
  x: number,
  base: number,
  tall: number,
  depth: number,
) {
  const h = tall * composition.scale;
  const leaf = mix(palette.foliage[0], palette.foliage[1], random.between(0, 0.8));
  const bark = darker(mix(palette.near, '#6b4a32', 0.6), 0.2);
  items.push({ kind: 'trunk', d: shapes.trunk(x, base, h * 0.7), fill: bark, depth });
  if (composition.trees === 'pine') {
    items.push({
      kind: 'leaves',
      d: shapes.pine(random, x, base - h * 0.08, h),
      fill: darker(leaf, 0.15),
      depth,
    });
  } else {
    items.push({ kind: 'leaves', d: shapes.crown(random, x, base - h * 0.72, h * 0.3), fill: leaf, depth });
    const top = shapes.crown(random, x - h * 0.05, base - h * 0.79, h * 0.19);
    items.push({ kind: 'leaves', d: top, fill: lighter(leaf, 0.16), depth });
  }
}

function cottage({ palette, items }: Studio, x: number, base: number, s: number, depth: number): void {
  const wall = lighter(mix(palette.cloud, palette.near, 0.2), 0.1);
  items.push({ kind: 'wall', d: shapes.box(x - s * 0.5, base - s * 0.6, s, s * 0.62), fill: wall, depth });
  items.push({
    kind: 'roof',
    d: shapes.box(x + s * 0.2, base - s * 1.08, s * 0.13, s * 0.4),
    fill: darker(palette.accent, 0.4),
    depth,
  });
  const roof = `M${n(x - s * 0.62)} ${n(base - s * 0.57)}L${n(x - s * 0.3)} ${n(base - s * 1.02)}L${n(x + s * 0.3)} ${n(base - s * 1.02)}L${n(x + s * 0.62)} ${n(base - s * 0.57)}Z`;
  items.push({ kind: 'roof', d: roof, fill: palette.accent, depth });
  const panes =
    shapes.box(x - s * 0.34, base - s * 0.42, s * 0.18, s * 0.2) +
    shapes.box(x + s * 0.16, base - s * 0.42, s * 0.18, s * 0.2);
  items.push({ kind: 'window', d: panes, fill: palette.light, depth });
  items.push({
    kind: 'wall',
    d: shapes.box(x - s * 0.08, base - s * 0.36, s * 0.16, s * 0.38),
    fill: darker(palette.accent, 0.5),
    depth,
  });
}

function lighthouse({ palette, items }: Studio, x: number, base: number, h: number): void {
  const half = (share: number) => h * (0.1 - share * 0.045);
  const band = (from: number, to: number) =>
    `M${n(x - half(from))} ${n(base - h * from)}L${n(x - half(to))} ${n(base - h * to)}L${n(x + half(to))} ${n(base - h * to)}L${n(x + half(from))} ${n(base - h * from)}Z`;
  items.push({ kind: 'wall', d: band(0, 0.82), fill: lighter(palette.cloud, 0.3), depth: 1 });
  items.push({ kind: 'roof', d: band(0.16, 0.32) + band(0.48, 0.64), fill: palette.accent, depth: 1 });
  const head = base - h * 0.82;
  items.push({
    kind: 'wall',
    d: shapes.box(x - h * 0.08, head - h * 0.02, h * 0.16, h * 0.025),
    fill: darker(palette.near, 0.5),
    depth: 1,
  });
  items.push({
    kind: 'lamp',
    d: shapes.box(x - h * 0.04, head - h * 0.1, h * 0.08, h * 0.085),
    fill: palette.light,
    depth: 1,
  });
  items.push({
    kind: 'roof',
    d: `M${n(x - h * 0.06)} ${n(head - h * 0.1)}L${n(x)} ${n(head - h * 0.18)}L${n(x + h * 0.06)} ${n(head - h * 0.1)}Z`,
    fill: darker(palette.accent, 0.25),
    depth: 1,
  });
}

function cacti({ palette, random, frame, items }: Studio, at: (x: number) => number): void {
  for (let k = 0; k < 3; k += 1) {
    const x = frame.width * random.between(0.08, 0.92);
    const [base, h] = [at(x) + 8, frame.height * random.between(0.08, 0.17)];
    const w = h * 0.2;
    const bar = (bx: number, by: number, bw: number, bh: number) =>
      `M${n(bx)} ${n(by + bh)}v${n(-bh + bw / 2)}a${n(bw / 2)} ${n(bw / 2)} 0 0 1 ${n(bw)} 0v${n(bh - bw / 2)}Z`;
    const d = `${bar(x - w / 2, base - h, w, h)}${bar(x - w * 1.5, base - h * 0.75, w * 0.7, h * 0.4)}${shapes.box(x - w * 1.5, base - h * 0.44, w * 1.4, w * 0.6)}${bar(x + w * 0.9, base - h * 0.85, w * 0.7, h * 0.38)}${shapes.box(x + w * 0.2, base - h * 0.55, w * 1.4, w * 0.6)}`;
    items.push({ kind: 'leaves', d, fill: mix(palette.foliage[0], '#3f7a4c', 0.6), depth: 1 });
  }
}

function meadow(
  { scene, palette, random, frame, composition, items }: Studio,
  at: (x: number) => number,
  depth: number,
) {
  const near = depth === 1;
  const size = frame.height * (near ? 0.017 : 0.006) * composition.scale;
  const hues: [Hex, ...Hex[]] = scene.accent
    ? [palette.accent, lighter(palette.accent, 0.3), darker(palette.accent, 0.2)]
    : [palette.accent, palette.light, lighter(palette.accent, 0.45), mix(palette.accent, '#8446c0', 0.5)];
  const petals = new Map<Hex, string>();
  let [stems, hearts] = ['', ''];
  for (let k = 0; k < (near ? 90 : 160); k += 1) {
    const x = frame.width * random.between(-0.02, 1.02);
    const low = at(x);
    const y = low + (frame.height - low) * random.between(0.02, 1) ** 1.3 * (near ? 1 : 0.55);
    const s = size * random.between(0.6, 1.3) * (0.7 + ((y - low) / frame.height) * 2.2);
    const hue = random.pick(hues);
    stems += `M${n(x - s * 0.12)} ${n(y)}L${n(x + s * random.between(-0.5, 0.5))} ${n(y + s * 4)}L${n(x + s * 0.12)} ${n(y)}Z`;
    let d = '';
    for (let leaf = 0; leaf < 5; leaf += 1) {
      const turn = (leaf / 5) * 6.283 + k;
      d += shapes.disc(x + Math.cos(turn) * s * 0.55, y + Math.sin(turn) * s * 0.5, s * 0.48);
    }
    petals.set(hue, (petals.get(hue) ?? '') + d);
    hearts += shapes.disc(x, y, s * 0.32);
  }
  items.push({ kind: 'stem', d: stems, fill: darker(palette.foliage[0], 0.1), depth });
  for (const [fill, d] of petals) items.push({ kind: 'flower', d, fill, depth });
  items.push({ kind: 'flower', d: hearts, fill: lighter(palette.light, 0.2), depth });
}

/** People and animals: forms without features, since nothing here knows how one looks. */
function forms(
  { scene, palette, random, frame, composition, items }: Studio,
  sideX: (share: number) => number,
  at: (x: number) => number,
) {
  const dark = darker(palette.near, 0.55);
  const x = sideX(random.between(0.36, 0.6));
  if (scene.themes.has('person')) {
    const d = shapes.figure(x, at(x) + frame.height * 0.02, frame.height * 0.22 * composition.scale);
    items.push({ kind: 'form', d, fill: mix(dark, palette.accent, 0.55), depth: 1 });
  }
  if (scene.themes.has('animal')) {
    const ax = x + frame.width * 0.13 * (x > frame.width / 2 ? -1 : 1);
    const d = shapes.beast(ax, at(ax) + frame.height * 0.02, frame.height * 0.13 * composition.scale);
    items.push({ kind: 'form', d, fill: scene.accent ? mix(dark, palette.accent, 0.7) : dark, depth: 1 });
  }
}

/** A table's edge with a bowl, a cup and round things on it. */
export function table({ palette, random, frame, items }: Studio): void {
  const { width: w, height: h } = frame;
  const top = h * 0.84;
  const wood = mix(palette.near, '#8a5a34', 0.7);
  items.push({ kind: 'dish', d: shapes.box(0, top, w, h - top), fill: wood, depth: 1 });
  items.push({ kind: 'dish', d: shapes.box(0, top, w, h * 0.012), fill: lighter(wood, 0.3), depth: 1 });
  const x = w * random.between(0.4, 0.56);
  const r = w * 0.13;
  const y = top + h * 0.06;
  for (const [dx, dy, s, hue] of [
    [-0.5, -0.5, 0.34, palette.accent],
    [0.42, -0.5, 0.32, palette.light],
    [-0.02, -0.66, 0.4, mix(palette.accent, '#e0562f', 0.4)],
    [0.08, -0.4, 0.3, palette.foliage[1]],
  ] as const)
    items.push({
      kind: 'dish',
      d: shapes.disc(x + dx * r, y - r * 0.5 + dy * r * 0.7, r * s),
      fill: hue,
      depth: 1,
    });
  const bowl = `M${n(x - r)} ${n(y - r * 0.62)}h${n(2 * r)}C${n(x + r * 0.95)} ${n(y)} ${n(x + r * 0.5)} ${n(y + r * 0.1)} ${n(x + r * 0.35)} ${n(y + r * 0.12)}h${n(-r * 0.7)}C${n(x - r * 0.5)} ${n(y + r * 0.1)} ${n(x - r * 0.95)} ${n(y)} ${n(x - r)} ${n(y - r * 0.62)}Z`;
  items.push({ kind: 'dish', d: bowl, fill: lighter(palette.cloud, 0.2), depth: 1 });
  const cx = x + r * 2.1;
  const c = r * 0.62;
  const cup = `M${n(cx - c * 0.6)} ${n(y - c * 1.1)}h${n(c * 1.2)}l${n(-c * 0.16)} ${n(c * 1.25)}h${n(-c * 0.88)}Z`;
  items.push({ kind: 'dish', d: cup, fill: lighter(palette.accent, 0.2), depth: 1 });
  const wisp = (sx: number) =>
    `M${n(sx)} ${n(y - c * 1.3)}q${n(c * 0.4)} ${n(-c * 0.5)} 0 ${n(-c)}q${n(-c * 0.4)} ${n(-c * 0.5)} ${n(c * 0.1)} ${n(-c)}q${n(-c * 0.2)} ${n(c * 0.5)} ${n(c * 0.12)} ${n(c)}q${n(c * 0.3)} ${n(c * 0.5)} ${n(-c * 0.22)} ${n(c)}Z`;
  items.push({
    kind: 'steam',
    d: wisp(cx - c * 0.2) + wisp(cx + c * 0.25),
    fill: lighter(palette.cloud, 0.4),
    depth: 1,
  });
}
