import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import type { Photograph } from './photographs.ts';

const SIDE = 150;
const GAP = 6;
const LABEL = 16;
const GROUPS = 2;
/** The photograph, its mask, and the cut-out on a chequered ground and on a colour. */
const PICTURES = 4;

export interface SheetRow {
  photograph: Photograph;
  /** PNG; null where the product refused. */
  cutOut: Uint8Array | null;
}

/** A contact sheet as WebP: each photograph, its mask and its cut-out. */
export async function drawSheet(items: SheetRow[]): Promise<Buffer> {
  const width = SIDE * PICTURES * GROUPS + GAP * (PICTURES * GROUPS + 1);
  const rows = Math.ceil(items.length / GROUPS);
  const layers: OverlayOptions[] = [];
  for (const [k, item] of items.entries()) {
    const left = GAP + (k % GROUPS) * PICTURES * (SIDE + GAP);
    const top = GAP + Math.floor(k / GROUPS) * (SIDE + LABEL + GAP);
    const pictures = await drawPictures(item);
    layers.push({ input: label(item.photograph), left, top });
    pictures.forEach((input, column) =>
      layers.push({ input, left: left + column * (SIDE + GAP), top: top + LABEL }),
    );
  }
  const height = GAP + rows * (SIDE + LABEL + GAP);
  return sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .composite(layers)
    .webp({ quality: 72 })
    .toBuffer();
}

async function drawPictures({ photograph: { name, jpeg, mask }, cutOut }: SheetRow): Promise<Buffer[]> {
  if (!mask) throw new Error(`${name} has no mask.`);
  const { alpha, width, height } = mask;
  const small = (image: Sharp) =>
    image.resize(SIDE, SIDE, { fit: 'contain', background: '#fff0' }).png().toBuffer();
  // The two cells of a refused cut-out stay empty.
  const cut = await small(sharp(cutOut ?? BLANK));
  return [
    await small(sharp(jpeg)),
    await small(sharp(alpha, { raw: { width, height, channels: 1 } }).toColourspace('srgb')),
    await sharp(CHEQUERED)
      .composite([{ input: cut }])
      .png()
      .toBuffer(),
    await sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#d6249f' } })
      .composite([{ input: cut }])
      .png()
      .toBuffer(),
  ];
}

const svg = (width: number, height: number, content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`);
const BLANK = svg(1, 1, '');
const CHEQUERED = svg(
  SIDE,
  SIDE,
  `<pattern id="p" width="16" height="16" patternUnits="userSpaceOnUse"><rect width="16" height="16" fill="#fff"/><path d="M0 0h8v8h8v8h-8v-8h-8z" fill="#ccc"/></pattern><rect width="100%" height="100%" fill="url(#p)"/>`,
);
const label = ({ name, fault }: Photograph) =>
  svg(
    SIDE * PICTURES,
    LABEL,
    `<text y="12" font-family="sans-serif" font-size="12" fill="${fault ? '#b00020' : '#222'}">${name}${fault && ` — ${fault}`}</text>`,
  );
