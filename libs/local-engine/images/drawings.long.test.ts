import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { discOnBlue } from '../../../test/support/image-files.js';
import { matteIfDrawing } from './drawings.js';
import { decodeImage } from './raster.js';

const PHOTOGRAPHS = 'scripts/quality/images/photographs';
const screen = readFileSync('docs/images/dashboard.png');
const logoFile = join(
  dirname(createRequire(import.meta.url).resolve('playwright-core')),
  'lib/vite/dashboard/playwright-logo.svg',
);

async function opacityOf(bytes: Uint8Array) {
  const photo = await decodeImage(bytes);
  const alpha = await matteIfDrawing(photo);
  return alpha && ((x: number, y: number) => alpha[y * photo.width + x]);
}

it.each([
  ['PNG', (logo: Sharp) => logo.png()],
  ['JPEG', (logo: Sharp) => logo.jpeg({ quality: 80 })],
])('keeps a logo whole and cuts its holes, in a %s', async (_, encode) => {
  const logo = sharp(logoFile, { density: 200 })
    .resize(900, 900, { fit: 'contain', background: '#fff' })
    .flatten({ background: '#fff' })
    .extend({ top: 50, bottom: 50, left: 50, right: 50, background: '#fff' });
  const at = await opacityOf(await encode(logo).toBuffer());
  // The ground, the screen within the frame, the two masks, and the white of a mouth.
  expect([at?.(10, 10), at?.(230, 230), at?.(400, 470), at?.(560, 480), at?.(560, 540)]).toEqual([
    0, 0, 255, 255, 255,
  ]);
});

it('keeps every line of a page of text', async () => {
  const at = await opacityOf(screen);
  const { data, info } = await sharp(screen).greyscale().raw().toBuffer({ resolveWithObject: true });
  let [ink, kept, ground, removed] = [0, 0, 0, 0];
  const paper = data[5 * info.width + 600] as number;
  data.forEach((value, i) => {
    const opacity = at?.(i % info.width, Math.floor(i / info.width)) ?? 0;
    if (Math.abs(value - paper) > 120) [ink, kept] = [ink + 1, kept + Number(opacity > 128)];
    if (value === paper) [ground, removed] = [ground + 1, removed + Number(opacity === 0)];
  });
  expect(kept / ink).toBeGreaterThan(0.99);
  expect(removed / ground).toBeGreaterThan(0.95);
});

it('refuses a screen without a plain ground, and says what to do', async () => {
  const inverted = await sharp(screen).negate({ alpha: false }).toBuffer();
  const both = await sharp(screen)
    .extend({ right: 1200, background: '#000' })
    .composite([{ input: inverted, left: 1200, top: 0 }])
    .png()
    .toBuffer();
  await expect(opacityOf(both)).rejects.toThrow(/^This looks like a screenshot or a page.* Draw a box/);
});

it.each([90, 150, 600])('leaves a drawn subject on a gradient to the model, %i pixels wide', async (side) => {
  expect(await opacityOf(await discOnBlue(side, side, 0.46).png().toBuffer())).toBeNull();
});

it.each(['chair', 'hedgehog', 'dragon', 'lute', 'flower', 'panda'])(
  'leaves a photograph to the model, on its own ground and on white: %s',
  async (name) => {
    const photo = readFileSync(`${PHOTOGRAPHS}/${name}.jpg`);
    expect(await opacityOf(photo)).toBeNull();
    const mask = await sharp(`${PHOTOGRAPHS}/${name}.png`)
      .extractChannel(0)
      .toBuffer({ resolveWithObject: true });
    const cut = await sharp(photo)
      .resize(mask.info.width, mask.info.height, { fit: 'fill' })
      .removeAlpha()
      .joinChannel(mask.data)
      .png()
      .toBuffer();
    const onWhite = sharp(cut).flatten({ background: '#fff' });
    expect(await opacityOf(await onWhite.clone().png().toBuffer())).toBeNull();
    expect(await opacityOf(await onWhite.clone().jpeg({ quality: 80 }).toBuffer())).toBeNull();
  },
);
