import { mix } from './palette.js';
import { placeMotif, type Part, type Picture } from './picture.js';
import { groundAt, landLine, polygon, strip, type Point } from './shapes.js';
import type { MotifName } from './motifs.js';
import data from './placements.json' with { type: 'json' };
import type { Theme } from './scene.js';
import type { Addition, MotifChoice } from './styles.js';

type Reason = Theme | Addition;
type Ground = { line: Point[]; depth: number };
/** Motifs in a row. `size` is a fraction of the picture's height, `start` and `end` of its width. */
interface Group {
  motifs: MotifChoice;
  count: number;
  size: number;
  start: number;
  end: number;
}

/** Positions of the motifs that a picture has if the prompt or the style gives the `reason`. */
const placements = data as unknown as {
  /** `x` is the distance from the middle to the side opposite the light, `y` the position as a fraction of the height. */
  single: {
    reason: Reason;
    layer: 'far' | 'onWater' | 'near';
    motif: MotifName;
    x: number;
    y: number;
    size: number;
    depth: number;
  }[];
  /** Groups on the hills in the foreground; `firstCount` is the number on the first hill. */
  groups: (Group & { reason: Reason; firstCount: number })[];
};

const towers: MotifChoice = ['tower', 'slab', 'spire', 'block'];

/** Composes the land and everything on it. `waterline` is the y of the water's upper edge; null without water. */
export function composeScenery(picture: Picture) {
  const { scene, style, random, width, height, side } = picture;
  const { themes } = scene;
  const level = (depth: number, y: number) => ({ depth, line: [-1, 2].map((x): Point => [width * x, y]) });
  const wet = themes.has('sea') || themes.has('lake');
  const waterline = height * (style.land.horizon + (themes.has('sea') ? 0.03 : 0.075));
  const foot = height * (style.land.horizon + 0.05);
  const layers = { far: ridges(picture), onWater: [] as Part[], near: hills(picture, wet) };
  const add = (layer: keyof typeof layers, ...parts: Part[]) => layers[layer].push(...parts);
  if (themes.has('city'))
    add(
      'far',
      ...scatter(picture, level(0.2, foot), {
        motifs: towers,
        count: 13,
        size: 0.36,
        start: 0.14,
        end: 0.86,
      }),
    );
  if (themes.has('city'))
    add(
      'far',
      ...scatter(picture, level(0.35, foot), { motifs: towers, count: 20, size: 0.25, start: 0, end: 1 }),
    );
  if (wet)
    add(
      'onWater',
      ...scatter(picture, level(1, waterline), {
        motifs: ['wave', 'darkWave'],
        count: 100,
        size: 0.03,
        start: 0,
        end: 1,
      }),
    );
  const [dx, dy] = [random.between(-0.04, 0.04), random.between(-0.02, 0.02)];
  for (const { reason, layer, motif, x, y: share, size, depth } of placements.single) {
    if (!isWanted(picture, reason)) continue;
    const y = layer === 'onWater' ? waterline + height * share : height * (share < 1 ? share + dy : share);
    const at = [width * (0.5 - side * (x + dx)), y] as const;
    add(layer, ...placeMotif(picture, motif, depth, at, side * Math.min(width, height) * size));
  }
  return { ...layers, waterline: wet ? waterline : null };
}

function isWanted({ scene, style }: Picture, reason: Reason): boolean {
  const { themes, snow } = scene;
  if (reason === 'space' && style.sun === 'moons') return false;
  if (reason === 'grass' && (themes.has('desert') || themes.has('space') || snow)) return false;
  if (style.frame === 'profile' && (reason === 'person' || reason === 'animal')) return false;
  return style.additions.some((name) => name === reason) || themes.has(reason as Theme);
}

/** Scatters motifs on the ground, with one part per colour. More than 99 motifs also cover the slope below the line. */
function scatter(
  picture: Picture,
  { line, depth }: Ground,
  { motifs, count, size, start, end }: Group,
): Part[] {
  const { width, height, random } = picture;
  const joined = new Map<string, Part>();
  for (let k = 0; k < count; k += 1) {
    const x = width * (start + ((end - start) * (k + random.between(0.1, 0.9))) / count);
    const ground = groundAt(line, x);
    const slope = count > 99 && depth > 0.6 ? random.between(0, depth) ** 1.4 * (height - ground) : 0;
    const scale = size * random.between(0.75, 1.15) * (height + 3 * slope) * random.pick([1, -1]);
    const foot = [x, ground + slope + height * 0.01 * depth] as const;
    for (const next of placeMotif(picture, random.pick(motifs), depth, foot, scale)) {
      const key = count > 20 && next.material !== 'sphere' ? next.material + next.fill : `${joined.size}`;
      joined.set(key, { ...next, d: (joined.get(key)?.d ?? '') + next.d });
    }
  }
  return [...joined.values()];
}

/** The land below a line. It fades from the line down to `foot`. */
function land({ style, palette, width, height }: Picture, { line, depth }: Ground, foot: number): Part {
  const bottom = height * (depth < 0.6 ? style.land.horizon + 0.24 : 1.05);
  const d = polygon(...line, [width * 1.05, bottom], [-width * 0.05, bottom]);
  const top = Math.min(...line.map(([, y]) => y));
  return { material: 'land', d, fill: mix(palette.far, palette.near, depth), depth, span: [top, foot] };
}

/** The land in the background: mountains with shaded slopes and snow, or low hills, with rows of trees. */
function ridges(picture: Picture): Part[] {
  const { scene, palette, random, style, width, height, side } = picture;
  const { horizon, rise } = style.land;
  const [mountains, forest] = [scene.themes.has('mountains'), scene.themes.has('forest')];
  if (scene.themes.has('sea') && !mountains && !forest) return [];
  const jagged = mountains && style.jagged;
  const count = mountains ? style.land.ridges : Math.max(2, style.land.ridges - 2);
  return Array.from({ length: count }, (_, k) => {
    const depth = (k / count) * 0.5;
    const base = height * (horizon + 0.012 + 0.02 * k);
    const tall = height * (mountains ? rise * (1 - k / (count + 0.6)) : 0.09);
    const line = landLine(random, jagged, width, base, tall);
    const parts = [land(picture, { line, depth }, base + height * 0.03)];
    for (const shift of jagged && style.shape.shading ? [4, 11] : []) {
      const d = strip(line, (y, i) => (line[i - side * shift]?.[1] ?? y) + height * 0.004 * shift - y);
      parts.push({ material: 'shade', d, fill: palette.rockShade, depth });
    }
    if (mountains && k < (jagged ? 2 : 1)) {
      const peak = Math.min(...line.map(([, y]) => y));
      const snowline = base - (base - peak) * (0.6 + k * 0.12);
      const ragged = landLine(random, true, 1, 0.1, -0.8);
      const d = strip(line, (y, i) => (snowline - y) * Math.max(0.1, ragged[i]?.[1] ?? 0));
      parts.push({ material: 'snow', d, fill: palette.snow, depth: depth + 0.2 });
    }
    const treeCount = style.woods.length > 1 ? 30 : 110;
    const trees = { motifs: style.woods, count: treeCount, size: 0.035 + depth * 0.07, start: -0.02, end: 1 };
    if (forest && k >= count - 2) parts.push(...scatter(picture, { line, depth: depth * 0.7 }, trees));
    return parts;
  }).flat();
}

/** The land in the foreground: two hills, or a shore that is high on one side. */
function hills(picture: Picture, wet: boolean): Part[] {
  const { scene, random, style, width, height } = picture;
  const { horizon, scale } = style.land;
  const mirrored = random.chance(0.5);
  const bare = (['desert', 'space', 'lighthouse', 'food'] as const).some((theme) => scene.themes.has(theme));
  return (wet ? [1] : [0.7, 1]).flatMap((depth) => {
    const last = depth === 1;
    const base = height * (wet ? 1.06 : horizon + (1 - horizon) * (last ? 0.82 : 0.46));
    const rise = height * (wet ? 0.24 : 0.13);
    const line = landLine(random, false, width, base, rise).map(([x, y]): Point => {
      const slope = Math.max(0, mirrored ? x / width : 1 - x / width) ** 1.5;
      return [x, wet ? base - (base - y) * 0.35 - rise * slope : y];
    });
    const parts = [land(picture, { line, depth }, height)];
    const add = ({ motifs, count, size, start, end }: Group) => {
      // On a shore, single motifs stand on the high side.
      const across = (share: number) =>
        !wet || count > 99 ? share : mirrored ? 1 - share * 0.42 : share * 0.42;
      const scaled = size * scale * (last ? 1 : 0.55);
      const group = { motifs, count, size: scaled, start: across(start), end: across(end) };
      parts.push(...scatter(picture, { line, depth }, group));
    };
    const trees = scene.themes.has('forest') ? (last ? 3 : 5) : bare ? 0 : last ? 1 : 2;
    // Trees stand left and right, so that the middle stays open.
    add({ motifs: style.trees, count: trees, size: 0.28, start: 0, end: 0.34 });
    add({ motifs: style.trees, count: trees, size: 0.28, start: 0.66, end: 1 });
    for (const { reason, firstCount, ...group } of placements.groups)
      if (isWanted(picture, reason)) add(last ? group : { ...group, count: firstCount });
    return parts;
  });
}
