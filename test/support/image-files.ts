import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import type { InputFile } from '#libs/contract/files.js';

/** A file as a request brings it. */
export const inputFile = (bytes: Buffer, name = 'photo.png', type = 'image/png'): InputFile => ({
  name,
  type,
  bytes,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** A red disc before a blue ground that grows lighter; its radius is a share of the shorter side. Sharp, to be encoded at will. */
export function discOnBlue(width: number, height: number, share = 0.25): Sharp {
  const [x, y, r] = [width / 2, height / 2, Math.min(width, height) * share];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#3a6fb5"/><stop offset="1" stop-color="#7fa9d8"/></linearGradient></defs><rect width="${width}" height="${height}" fill="url(#g)"/><circle cx="${x}" cy="${y}" r="${r}" fill="#cf3a22"/></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha();
}

/** A mask that paints a disc, white on black. */
export function discMask(width: number, height: number, share = 0.29): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}"/><circle cx="${width / 2}" cy="${height / 2}" r="${Math.min(width, height) * share}" fill="#fff"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** The pixels of a picture, four bytes each, and a way to look at one. */
export async function pixelsOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4),
  ];
  return { data, width: info.width, height: info.height, at };
}
