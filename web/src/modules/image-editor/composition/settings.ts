import { VERSION_LABEL_MAX } from '#libs/contract/creation-versions.js';
import { findSize } from './picture-sizes';

export type BackgroundKind = 'transparent' | 'colour' | 'blur' | 'picture';
export type PictureFormat = 'png' | 'webp' | 'jpeg';

/** Settings of a composition. Lengths are percentages. */
export interface CutOutSettings {
  background: BackgroundKind;
  /** Colour as `#rrggbb`. */
  colour: string;
  /** Blur radius for the original, as percentage of its longer side. */
  blur: number;
  shadow: Shadow | null;
  framing: 'whole' | 'subject';
  margin: number;
  /** ID of a size in picture-sizes.ts; '' for the original size. */
  size: string;
  format: PictureFormat;
  /** Encoder quality from 1 to 100. */
  quality: number;
}

/** Offsets and blur are percentages of the subject's longer side; strength is the opacity in percent. */
export interface Shadow {
  x: number;
  y: number;
  blur: number;
  strength: number;
}

export const defaultSettings: CutOutSettings = {
  background: 'transparent',
  colour: '#ffffff',
  blur: 3,
  shadow: null,
  framing: 'whole',
  margin: 8,
  size: '',
  format: 'png',
  quality: 90,
};

export const defaultShadow: Shadow = { x: 2, y: 4, blur: 6, strength: 40 };

export const swatches = [
  { label: 'White', colour: '#ffffff' },
  { label: 'Light grey', colour: '#ececec' },
  { label: 'Paper', colour: '#faf7f2' },
  { label: 'Sand', colour: '#e4d5bd' },
  { label: 'Rose', colour: '#f1d2cf' },
  { label: 'Mint', colour: '#cfe6d8' },
  { label: 'Sky', colour: '#c9e0f0' },
  { label: 'Ink', colour: '#1b1a17' },
] as const;

const nameOf = (colour: string): string =>
  swatches.find((swatch) => swatch.colour === colour)?.label ?? colour;

/** True if transparent pixels become white because the format (JPEG) has no transparency. */
export const isFlattened = ({ background, format }: CutOutSettings): boolean =>
  format === 'jpeg' && background === 'transparent';

/** Describes the settings for the user, such as "White background, soft shadow, Instagram, square". */
export function describeSettings(settings: CutOutSettings): string {
  const { background, colour, shadow, framing, size } = settings;
  const grounds: Record<BackgroundKind, string> = {
    transparent: isFlattened(settings) ? 'White background' : 'Transparent background',
    colour: `${nameOf(colour)} background`,
    blur: 'Blurred original',
    picture: 'Own background',
  };
  const parts = [
    grounds[background],
    shadow && 'soft shadow',
    findSize(size)?.label ?? (framing === 'subject' && 'cropped to the subject'),
  ];
  return parts.filter(Boolean).join(', ').slice(0, VERSION_LABEL_MAX);
}

export const mediaTypes: Record<PictureFormat, string> = {
  png: 'image/png',
  webp: 'image/webp',
  jpeg: 'image/jpeg',
};
export const formatLabels: Record<PictureFormat, string> = { png: 'PNG', webp: 'WebP', jpeg: 'JPEG' };
export const extensions: Record<PictureFormat, string> = { png: 'png', webp: 'webp', jpeg: 'jpg' };
