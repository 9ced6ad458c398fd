import type { Hex } from './palette.js';
import { n } from './shapes.js';

type Stop = readonly [at: number, colour: Hex, opacity?: number];

/** The `<defs>` of a picture. Methods add a definition and return its `url(#…)`. Equal definitions are added once. */
export class Defs {
  private readonly urls = new Map<string, string>();

  get markup(): string {
    return [...this.urls].map(([markup, url]) => markup.replace(' ', ` id="${url.slice(5, -1)}" `)).join('');
  }

  /** Adds an element, given without its id. */
  add(tag: string, attributes: string, content: string): string {
    const markup = `<${tag} ${attributes}>${content}</${tag}>`;
    const url = this.urls.get(markup) ?? `url(#d${this.urls.size})`;
    this.urls.set(markup, url);
    return url;
  }

  /** A gradient from the top to the bottom of the painted shape. */
  vertical(...stops: readonly Stop[]): string {
    return this.add('linearGradient', 'x1="0" y1="0" x2="0" y2="1"', stopsOf(stops));
  }

  /** A vertical gradient between two heights of the picture, in pixels. */
  between(top: number, bottom: number, ...stops: readonly Stop[]): string {
    const ends = `gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="${n(top)}" y2="${n(bottom)}"`;
    return this.add('linearGradient', ends, stopsOf(stops));
  }

  /** A radial gradient. `centre` has its cx, cy and r attributes, by default as fractions of the painted shape. */
  radial(centre: string, ...stops: readonly Stop[]): string {
    return this.add('radialGradient', centre, stopsOf(stops));
  }

  /** A filter that reaches `margin` percent beyond the element. */
  filter(primitives: string, margin = 0): string {
    const area = `x="-${margin}%" y="-${margin}%" width="${100 + 2 * margin}%" height="${100 + 2 * margin}%"`;
    return this.add('filter', `${area} color-interpolation-filters="sRGB"`, primitives);
  }

  clip(content: string): string {
    return this.add('clipPath', 'clipPathUnits="userSpaceOnUse"', content);
  }

  mask(content: string): string {
    return this.add('mask', 'maskUnits="userSpaceOnUse" x="0" y="0" width="100%" height="100%"', content);
  }
}

const stopsOf = (stops: readonly Stop[]) =>
  stops
    .map(([at, hex, alpha = 1]) => `<stop offset="${at}" stop-color="${hex}" stop-opacity="${alpha}"/>`)
    .join('');

export const path = (d: string, fill: string, more = '') =>
  d ? `<path d="${d}" fill="${fill}" ${more}/>` : '';
export const group = (content: string, more: string) => (content ? `<g ${more}>${content}</g>` : '');

type Area = { x?: number; y?: number; width: number; height: number };
export const rect = ({ x = 0, y = 0, width, height }: Area, fill: string, more = '') =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}" ${more}/>`;

export const noise = (frequency: string, octaves: number, seed: number) =>
  `<feTurbulence type="fractalNoise" baseFrequency="${frequency}" numOctaves="${octaves}" seed="${seed}" result="noise"/>`;

/** A filter primitive that displaces pixels by the result named "noise". */
export const displace = (scale: number) =>
  `<feDisplacementMap in="SourceGraphic" in2="noise" scale="${n(scale)}" xChannelSelector="R" yChannelSelector="G" result="moved"/>`;
