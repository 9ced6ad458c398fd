import { darker, lighter, mix, type Hex } from './palette.js';
import type { Flat, Material } from './motifs.js';
import type { Part, Picture } from './picture.js';
import { n, placePath, repeat } from './shapes.js';
import type { Style } from './styles.js';
import { displace, group, noise, path, rect } from './svg.js';

export const INK = '#1d1930';

const textured: Partial<Record<Style['texture'], readonly Material[]>> = {
  brush: ['air', 'cloud', 'fine', 'land', 'leaf', 'light', 'shade', 'snow', 'solid', 'sphere', 'tone'],
  stone: ['land', 'shade', 'snow'],
};

const opacities: Record<Flat, number> = { air: 0.45, shade: 0.2, snow: 1, tone: 1 };

/** Paints parts in order. Adjacent textured parts share one SVG filter, because filters take most of the rendering time. */
export function paintParts(picture: Picture, parts: readonly Part[], isTextured = true): string {
  const materials = (isTextured && textured[picture.style.texture]) || [];
  let [markup, run] = ['', ''];
  const flush = () => (run ? group(run, `filter="${textureFilter(picture)}"`) : '');
  for (const part of parts) {
    if (materials.includes(part.material)) run += paintPart(picture, part);
    else [markup, run] = [markup + flush() + paintPart(picture, part), ''];
  }
  return markup + flush();
}

function paintPart(picture: Picture, part: Part): string {
  const { style, palette, width, height, side, sun, defs, scene } = picture;
  const { shading, rim, ink } = style.shape;
  const { d, depth, material } = part;
  const fill = colourOf(picture, part);
  const outlined = (share: number, more = '', paint = fill) => {
    const line = `stroke="${INK}" stroke-width="${n(ink * share * width * 2)}" stroke-linejoin="round"`;
    return (ink ? path(d, INK, line) : '') + path(d, paint, more);
  };
  const relief = (size: number, margin = 40) =>
    style.texture === 'relief' ? `filter="${reliefFilter(picture, size, margin)}"` : '';
  const body = (paint: string, size: number, margin?: number) => {
    const lit = rim * width * Math.min(1, 0.3 + depth);
    const moved = `transform="translate(${n(side * lit * 0.7)} ${n(-lit)})"`;
    const edge = rim ? path(d, lighter(mix(palette.sun, fill, 0.4), 0.1), moved) : '';
    const printed = style.texture === 'halftone' && depth < 0.6;
    const screen = printed ? path(d, dots(picture, INK, 10), 'opacity=".13"') : '';
    return edge + outlined(depth < 0.5 ? 0.65 : 1, relief(size, margin), paint) + screen;
  };
  switch (material) {
    case 'glint':
      return path(d, fill, `opacity="${style.surface.glints}"`);
    case 'fine':
      return outlined(0.45, relief(0.0022));
    case 'cloud':
      return outlined(1);
    case 'light': {
      const glow = `stroke="${fill}" stroke-width="${n(width * 0.007)}" stroke-opacity=".3" stroke-linejoin="round"`;
      return outlined(0.6, ink ? '' : glow);
    }
    case 'ray': {
      const centre = `gradientUnits="userSpaceOnUse" cx="${n(sun.x)}" cy="${n(sun.y)}" r="${n(height)}"`;
      return path(d, defs.radial(centre, [0, fill, 0.3], [1, fill, 0]));
    }
    case 'veil': {
      const veil = defs.vertical([0, fill, 0], [0.55, lighter(fill, 0.3), 0.45], [1, palette.accent, 0]);
      return path(d, veil, `filter="${defs.filter('<feGaussianBlur stdDeviation="9"/>', 10)}"`);
    }
    case 'sphere': {
      const centre = `cx="${0.5 + side * 0.17}" cy=".3" r=".75"`;
      const shaded = [lighter(fill, 0.35), darker(fill, 0.45)] as const;
      return outlined(1, '', defs.radial(centre, [0, shaded[0]], [0.5, fill], [1, shaded[1]]));
    }
    case 'land': {
      const mist = Math.min(1, style.depth.mist + (scene.mist ? 0.4 : 0)) * (1 - depth);
      const foot = depth < 0.6 ? mix(fill, palette.haze, mist) : darker(fill, shading * 0.55);
      const crest = lighter(fill, shading * 0.25);
      const [top, bottom] = part.span ?? [0, height];
      return body(defs.between(top, bottom, [0, crest], [0.35, mix(crest, foot, 0.3)], [1, foot]), 0.009, 6);
    }
    case 'leaf':
    case 'solid':
      return body(defs.vertical([0, lighter(fill, shading * 0.22)], [1, darker(fill, shading * 0.5)]), 0.005);
    default:
      return path(d, fill, `opacity="${opacities[material]}"`);
  }
}

/** The colour of a part: paler in the distance, darker in the foreground. */
function colourOf({ style, palette }: Picture, { material, fill, depth }: Part): Hex {
  const { haze, contrast } = style.depth;
  if (['air', 'glint', 'light', 'ray'].includes(material)) return fill;
  const far = mix(fill, palette.haze, haze * Math.max(0, 1 - depth * 1.5));
  return material === 'fine' ? far : darker(far, contrast * Math.max(0, depth - 0.5) * 2);
}

/** Paints water below `y`, with the reflections of the painted land above it and of the sun. */
export function paintWater(picture: Picture, y: number, land: string): string {
  const { style, palette, width, height, sun, defs, seed } = picture;
  const { reflection } = style.surface;
  const area = { y, width, height: height - y };
  const line = rect({ y, width, height: style.shape.ink * width }, INK);
  if (!reflection) return rect(area, palette.water) + line;
  const far = mix(palette.water, palette.haze, 0.55);
  const surface = defs.between(y, height, [0, far], [0.3, palette.water], [1, palette.deepWater]);
  const ripple = defs.filter(noise('.006 .09', 2, seed) + displace(width * 0.014));
  const mirror = group(group(land, `transform="matrix(1 0 0 -1 0 ${n(2 * y)})"`), `filter="${ripple}"`);
  const strokes = repeat(26, (k) => {
    const half = width * (0.012 + k * 0.0035) * (k % 3 ? 1 : 0.6);
    const down = y + height * (0.008 + k * 0.014);
    return placePath('M-1 0Q0 -1 1 0Q0 1 -1 0Z', sun.x, down, half, height * (0.002 + k * 0.0002));
  });
  const shine = defs.between(y, height, [0, palette.brightSun, 0.6], [0.85, palette.brightSun, 0.1]);
  const clip = `clip-path="${defs.clip(rect(area, '#fff'))}" opacity="${reflection}"`;
  return rect(area, surface) + group(mirror, clip) + path(strokes, shine);
}

/** Adds a pattern of halftone dots. @returns its `url(#…)` */
export function dots({ defs }: Picture, colour: Hex, size: number): string {
  const grid = `width="${size}" height="${size}" patternUnits="userSpaceOnUse" patternTransform="rotate(35)"`;
  return defs.add('pattern', grid, path(placePath('O1 1 .46', 0, 0, size / 2), colour));
}

/** A filter for rough stone in low light, or for the edges and washes of a brush. */
function textureFilter({ style, defs, width, seed }: Picture): string {
  if (style.texture === 'stone')
    return defs.filter(
      `${noise('.02 .03', 5, seed)}<feDiffuseLighting in="noise" surfaceScale="2.6" diffuseConstant="1.2" lighting-color="#fff" result="lit"><feDistantLight azimuth="235" elevation="56"/></feDiffuseLighting>
<feComposite in="lit" in2="SourceGraphic" operator="arithmetic" k1=".5" k3=".52" result="m"/><feComposite in="m" in2="SourceGraphic" operator="in"/>`,
    );
  return defs.filter(
    `${noise('.018', 3, seed)}${displace(width / 85)}<feColorMatrix in="noise" values="0 0 0 0 1  0 0 0 0 1  0 0 0 0 .8  .7 0 0 0 -.33" result="wash"/>
<feComposite in="wash" in2="moved" operator="in" result="own"/><feMerge><feMergeNode in="moved"/><feMergeNode in="own"/></feMerge>`,
    5,
  );
}

/** A filter for a raised, softly lit surface with a shadow; `size` is the edge's size as a fraction of the width. */
export function reliefFilter({ defs, width }: Picture, size: number, margin: number): string {
  const r = size * width;
  return defs.filter(
    `<feDropShadow dx="${n(r * 0.8)}" dy="${n(r * 1.2)}" stdDeviation="${n(r * 1.1)}" flood-color="#0f1440" flood-opacity=".38" result="shadow"/>
<feGaussianBlur in="SourceAlpha" stdDeviation="${n(r)}" result="a"/>
<feSpecularLighting in="a" surfaceScale="${n(r * 1.8)}" specularConstant=".4" specularExponent="14" lighting-color="#fff" result="shine"><feDistantLight azimuth="235" elevation="48"/></feSpecularLighting>
<feDiffuseLighting in="a" surfaceScale="${n(r * 2)}" diffuseConstant="1.25" lighting-color="#fff" result="lit"><feDistantLight azimuth="235" elevation="55"/></feDiffuseLighting>
<feComposite in="SourceGraphic" in2="lit" operator="arithmetic" k1=".5" k2=".5"/><feComposite in2="shine" operator="arithmetic" k2="1" k3=".6"/>
<feComposite in2="SourceAlpha" operator="in" result="raised"/><feMerge><feMergeNode in="shadow"/><feMergeNode in="raised"/></feMerge>`,
    margin,
  );
}
