import { channels, darker } from './palette.js';
import { dots, paintParts } from './painter.js';
import { placeMotif, type Picture } from './picture.js';
import { n, placePath, repeat, type Point } from './shapes.js';
import type { Effect, Style } from './styles.js';
import { noise, path, rect } from './svg.js';

const sparkle = 'M0 -1Q0 0 1 0Q0 0 0 1Q0 0 -1 0Q0 0 0 -1Z';

export function paintSky(picture: Picture): string {
  const { style, palette, scene, width, height, sun, defs } = picture;
  const { between } = picture.random;
  const { zenith, highSky, lowSky, horizon } = palette;
  const { halo, strength } = style.light;
  const low = height * style.land.horizon;
  const sky = defs.between(0, low * 1.04, [0, zenith], [0.45, highSky], [0.78, lowSky], [1, horizon]);
  const centre = `gradientUnits="userSpaceOnUse" cx="${n(sun.x)}" cy="${n(sun.y)}" r="${n(width * halo)}"`;
  const { sun: colour } = palette;
  const glow = defs.radial(centre, [0, colour, strength], [0.3, colour, strength / 4], [1, colour, 0]);
  const stars = repeat(style.light.stars * { day: 0, sunset: 0.2, night: 1 }[scene.time], (k) => {
    const size = k % 12 ? between(0.001, 0.002) : between(0.004, 0.009);
    return placePath(sparkle, between(0, width), low * between(0, 1) ** 1.3, width * size);
  });
  const disc = placeMotif(picture, style.sun, 0.5, [sun.x, sun.y], sun.r);
  return (
    rect(picture, style.texture === 'halftone' ? highSky : sky) +
    effect(picture, 'burst', [sun.x, sun.y], width * 2) +
    (style.texture === 'halftone' ? screen(picture) : '') +
    effect(picture, 'aurora', [width / 2, 0], width * 0.8) +
    path(stars, '#fdf8ec', 'opacity=".85"') +
    (halo ? rect(picture, glow) : '') +
    paintParts(picture, disc) +
    (style.clouds === 'noise' ? noiseClouds(picture) : clouds(picture, style.clouds))
  );
}

const effect = (picture: Picture, name: Effect, centre: Point, size: number) =>
  picture.style.effects.includes(name) ? paintParts(picture, placeMotif(picture, name, 0, centre, size)) : '';

/** Draws halftone dots that fade towards the horizon. */
function screen(picture: Picture): string {
  const { palette, width, height, defs } = picture;
  const fade = rect({ width, height: height * 0.6 }, defs.vertical([0, '#ffffff'], [0.6, '#ffffff', 0]));
  return rect(picture, dots(picture, darker(palette.highSky, 0.25), 14), `mask="${defs.mask(fade)}"`);
}

function noiseClouds({ scene, style, palette, width, height, defs, seed }: Picture): string {
  const [r, g, b] = channels(palette.cloud).map((value) => (value / 255).toFixed(3));
  const colour = `0 0 0 0 ${r}  0 0 0 0 ${g}  0 0 0 0 ${b}  0 0 0 3.1 ${scene.rain ? -1.2 : -1.45}`;
  const filter = defs.filter(`${noise('.0028 .0095', 6, seed)}<feColorMatrix values="${colour}"/>`);
  const area = { width, height: height * style.land.horizon };
  const mask = defs.mask(rect(area, defs.vertical([0, '#ffffff'], [0.7, '#ffffff', 0.8], [1, '#ffffff', 0])));
  const opacity = scene.time === 'night' ? 0.55 : 0.92;
  return rect(area, '#fff', `filter="${filter}" mask="${mask}" opacity="${opacity}"`);
}

function clouds(picture: Picture, places: Exclude<Style['clouds'], 'noise'>): string {
  const { style, random, width, height, side } = picture;
  const parts = places.flatMap((percents) => {
    const [x, base, size] = percents.map((percent) => percent / 100) as [number, number, number];
    const across = width * ((side > 0 ? 1 - x : x) + random.between(-0.03, 0.03));
    const wide = Math.min(width, height) * size * random.between(0.85, 1.1) * random.pick([1, -1]);
    return placeMotif(picture, style.cloud, 0.5, [across, height * base], wide);
  });
  return paintParts(picture, parts);
}

/** Paints the effects over the whole picture: rays, motes, weather, film grain and a vignette. */
export function paintAir(picture: Picture): string {
  const { scene, style, palette, random, width, height, sun, defs, seed } = picture;
  const { grain, vignette } = style.surface;
  const scattered = (count: number, unit: string, from: number, to: number) =>
    repeat(count, () => {
      const [x, y] = [random.between(0, width * 1.1), random.between(-0.05, 1) * height];
      return placePath(unit, x, y, width * random.between(from, to));
    });
  const glow = defs.radial('r=".5"', [0, '#ffffff'], [0.2, palette.light, 0.9], [1, palette.light, 0]);
  const rain = scattered(scene.rain ? 240 : 0, 'M0 0L-.22 1L-.17 1L.05 0Z', 0.02, 0.05);
  const snow = scattered(scene.snow ? 190 : 0, 'O0 0 1', 0.001, 0.0042);
  const border = defs.radial('r=".75"', [0.6, '#000000', 0], [1, darker(palette.zenith, 0.6), vignette]);
  const grey = '<feColorMatrix values="0 0 0 0 .5  0 0 0 0 .5  0 0 0 0 .5  0 0 0 .6 -.16"/>';
  const film = `filter="${defs.filter(noise('.8', 3, seed) + grey)}" opacity="${grain}"`;
  return (
    effect(picture, 'beams', [sun.x, sun.y], height * 1.4) +
    path(snow, '#ffffff', 'opacity=".85"') +
    path(rain, '#dfe9f5', 'opacity=".4"') +
    repeat(style.light.motes, () => path(scattered(1, 'O0 0 1', 0.004, 0.016), glow)) +
    path(scattered(style.light.motes * 2, sparkle, 0.002, 0.007), palette.light, 'opacity=".8"') +
    (vignette ? rect(picture, border) : '') +
    (grain ? rect(picture, '#808080', film) : '')
  );
}
