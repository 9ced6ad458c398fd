import { darker, lighter, mix } from './palette.js';
import { INK, paintParts, reliefFilter } from './painter.js';
import { placeMotif, type Picture } from './picture.js';
import { n, placePath, repeat } from './shapes.js';
import type { Style } from './styles.js';
import { displace, group, noise, path, rect } from './svg.js';

/** For each kind of frame, a function that puts the SVG of a painted scene into the frame. */
export const frames: Record<Style['frame'], (picture: Picture, content: string) => string> = {
  none: (_, content) => content,
  panel,
  niche,
  profile,
};

/** Draws the scene as a comic panel on white. */
function panel(picture: Picture, content: string): string {
  const { style, width, height, defs } = picture;
  const gap = width * 0.03;
  const area = { x: gap, y: gap, width: width - 2 * gap, height: height - 2 * gap };
  const clip = `clip-path="${defs.clip(rect(area, '#fff', `rx="${gap}"`))}"`;
  const line = `rx="${gap}" stroke="${INK}" stroke-width="${n(style.shape.ink * width * 2.2)}"`;
  return rect(picture, '#fdfaf2') + group(content, clip) + rect(area, 'none', line);
}

/** Draws the scene behind a round opening in a wall, with a raised rim and clouds in front. */
function niche(picture: Picture, content: string): string {
  const { palette, width, height, defs } = picture;
  const short = Math.min(width, height);
  const gap = short * 0.085;
  const area = { x: gap, y: gap, width: width - 2 * gap, height: height - 2 * gap };
  const round = `rx="${n(short * 0.3)}"`;
  const colour = mix(palette.highSky, palette.horizon, 0.5);
  const light = 'cx=".35" cy=".25" r=".95"';
  const wall = defs.radial(light, [0, lighter(colour, 0.6)], [1, mix(colour, palette.zenith, 0.3)]);
  const blur = `filter="${defs.filter('<feGaussianBlur stdDeviation="26"/>', 20)}" opacity=".45"`;
  const shadow = rect(area, darker(palette.zenith, 0.5), `${round} ${blur} transform="translate(20 34)"`);
  const scale = 1 - (2 * gap) / Math.max(width, height);
  const fit = `translate(${n((width * (1 - scale)) / 2)} ${n((height * (1 - scale)) / 2)}) scale(${scale})`;
  const clip = `clip-path="${defs.clip(rect(area, '#fff', round))}"`;
  const rim = `${round} stroke="${palette.white}" stroke-width="36" filter="${reliefFilter(picture, 0.008, 10)}"`;
  const right = placeMotif(picture, 'ballCloud', 0.5, [width - gap * 1.5, gap * 3.2], gap * 1.4);
  const left = placeMotif(picture, 'ballCloud', 0.5, [gap * 1.2, gap * 5], gap);
  const inside = group(group(content, `transform="${fit}"`), clip);
  return (
    rect(picture, wall) + shadow + inside + rect(area, 'none', rim) + paintParts(picture, [...right, ...left])
  );
}

/** Draws the scene inside the silhouette of a head or an animal, on paper with brush strokes. */
function profile(picture: Picture, content: string): string {
  const { scene, palette, random, width, height, side, defs, seed } = picture;
  const { between } = random;
  const { highSky, lowSky, accent, horizon, light } = palette;
  const size = Math.min(width * 0.86, height * 0.68);
  const animal = scene.themes.has('animal') && !scene.themes.has('person');
  const [form] = animal
    ? placeMotif(picture, 'animal', 1, [width * 0.46, height * 0.99], size * 1.2)
    : placeMotif(picture, 'head', 1, [(width + side * size) / 2, height * 0.99 - size * 1.4], -side * size);
  const outline = form?.d ?? '';
  const paper = mix('#f6efe2', horizon, 0.14);
  const tint = mix(lowSky, paper, 0.35);
  const wash = defs.radial('r=".45"', [0.8, tint, 0.75], [1, tint, 0]);
  const fade = defs.mask(rect(picture, defs.vertical([0.78, '#ffffff'], [1, '#000000'])));
  const wobble = defs.filter(noise('.02', 3, seed) + displace(7), 5);
  const line = `stroke="${palette.dark}" stroke-width="${n(width * 0.002)}"`;
  const second = path(outline, 'none', `${line} opacity=".4" transform="translate(7 -7)"`);
  const inside = group(content, `clip-path="${defs.clip(path(outline, '#fff'))}"`);
  const gaps =
    '<feColorMatrix in="noise" values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 -5.5 3.5" result="gaps"/>';
  const bristles = `${gaps}<feComposite in="moved" in2="gaps" operator="in"/>`;
  const dry = defs.filter(noise('.008 .11', 2, seed) + displace(46) + bristles, 10);
  const hue = () => random.pick([highSky, accent, lowSky, mix(light, accent, 0.3)]);
  const strokes = repeat(9, () => {
    const [x, y] = [between(0.02, 0.4) * width, between(0.16, 0.86) * height];
    const [sx, sy] = [between(0.4, 0.75) * width, between(0.02, 0.06) * height];
    return path(placePath('M0 0Q.5 -2 1 -1L.98 .6Q.5 .4 0 1.4Z', x, y, sx, sy), hue(), 'opacity=".45"');
  });
  const drops = repeat(80, () => {
    const [out, turn] = [between(0.28, 0.5), between(0, 6.283)];
    const [x, y] = [width * (0.5 + Math.cos(turn) * out), height * (0.45 + Math.sin(turn) * out * 0.9)];
    return path(placePath('O0 0 1', x, y, width * between(0.001, 0.007)), hue(), 'opacity=".75"');
  });
  const flock = placeMotif(picture, 'flock', 0.6, [width * (0.5 - side * 0.3), height * 0.14], width * 0.03);
  return (
    rect(picture, paper) +
    rect(picture, wash) +
    group(strokes, `filter="${dry}"`) +
    group(group(inside + path(outline, 'none', line) + second, `filter="${wobble}"`), `mask="${fade}"`) +
    paintParts(picture, flock) +
    drops
  );
}
