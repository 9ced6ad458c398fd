import { readdirSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { discOnBlue } from '../../../test/support/image-files.js';
import { uNetInput } from '#libs/models/segmentation-input.js';
import { cutOut } from './cut-out.js';
import { ownTransparency } from './own-cut-out.js';
import { decodeImage } from './raster.js';

const PHOTOGRAPHS = 'scripts/quality/images/photographs';
const subjects = readdirSync(PHOTOGRAPHS).flatMap((file) =>
  file.endsWith('.png') ? [file.slice(0, -4)] : [],
);

const judge = async (image: Sharp) => ownTransparency(await decodeImage(await image.png().toBuffer()));
/** A picture that is opaque only where an SVG shape is drawn. */
const shaped = (width: number, height: number, shape: string) => {
  const size = `width="${width}" height="${height}"`;
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size} fill="#c33">${shape}</svg>`));
};

/** Three by three pixels, of which one is transparent. */
const dotted = (x: number, y: number) => `<path d="M${x} ${y}h3v3h-2v-1h-1z"/>`;

/** A photograph with its mask as alpha, cropped to the subject, which touches all edges. */
async function cropped(name: string): Promise<Sharp> {
  const mask = sharp(`${PHOTOGRAPHS}/${name}.png`).greyscale();
  const { width, height } = await mask.metadata();
  const alpha = await mask.raw().toBuffer();
  const photo = sharp(`${PHOTOGRAPHS}/${name}.jpg`).resize(width, height, { fit: 'fill' });
  const withAlpha = await photo
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  return sharp(await sharp(withAlpha).trim({ background: '#0000', threshold: 40 }).toBuffer());
}

it.each(subjects.filter((_, i) => i % 4 === 0))(
  'sees that %s is cut out, even if it touches all edges',
  async (name) => {
    expect(await judge(await cropped(name))).toMatchObject({ isCutOut: true });
  },
);

it.each([
  ['a logo in the colours of its palette', () => sharp('node_modules/@jest/reporters/assets/jest_logo.png')],
  ['an icon with a shadow', () => sharp('node_modules/playwright-core/lib/server/chromium/appIcon.png')],
  ['a lettering', () => sharp('node_modules/tesseract.js/docs/images/tesseract_dark.png')],
  ['a disc', () => shaped(300, 300, '<circle cx="150" cy="150" r="150"/>')],
  [
    'a frame around a hole',
    () => shaped(400, 300, '<path fill-rule="evenodd" d="M0 0h400v300H0zM50 50v200h300V50z"/>'),
  ],
  [
    'a subject with a bite out of one side',
    () => shaped(400, 300, '<path d="M0 0h400v300H0V190h80v-80H0z"/>'),
  ],
])('sees that %s is cut out', async (_, make) => {
  expect(await judge(make())).toMatchObject({ isCutOut: true });
});

it.each([
  ['a portrait that leaves two corners', '<path d="M0 400V90Q150 -70 300 90V400z"/>'],
  ['a close portrait', '<path d="M0 400V60Q150 -60 300 60V400z"/>'],
])('sees that %s is cut out', async (_, shape) => {
  expect(await judge(shaped(300, 400, shape))).toMatchObject({ isCutOut: true });
});

it.each([
  ['without transparency', () => discOnBlue(300, 200)],
  ['with an alpha channel that is opaque', () => discOnBlue(300, 200).ensureAlpha()],
  ['of half opacity', () => discOnBlue(300, 200).ensureAlpha(0.5)],
  ['with rounded corners', () => shaped(400, 300, '<rect width="400" height="300" rx="60"/>')],
  ['with an empty border', () => shaped(200, 200, '<rect x="3" y="3" width="194" height="194"/>')],
  [
    'with single transparent pixels',
    () =>
      shaped(
        60,
        60,
        Array.from({ length: 400 }, (_, i) => dotted(3 * (i % 20), 3 * Math.floor(i / 20))).join(''),
      ),
  ],
])('sees that a picture %s is not cut out', async (_, make) => {
  expect(await judge(make())).toMatchObject({ isCutOut: false });
});

it('leaves a cut-out as it is, and asks no model', async () => {
  const bytes = await (await cropped(subjects[0] as string)).png().toBuffer();
  const { photo, kind } = await cutOut(bytes, undefined, () => undefined, {
    input: uNetInput,
    runModel: () => {
      throw new Error('The model was asked.');
    },
  });
  expect(kind).toBe('already');
  expect(photo.pixels.equals((await decodeImage(bytes)).pixels)).toBe(true);
});
