/** @jest-environment node */
import { expect, it } from '@jest/globals';
import sharp from 'sharp';
import { setDensity } from './set-density.js';

it.each(['png', 'jpeg'] as const)('sets the density of a %s', async (format) => {
  const bytes = await sharp({ create: { width: 35, height: 45, channels: 3, background: '#c33' } })
    .toFormat(format)
    .toBuffer();
  const picture = new Blob([Uint8Array.from(bytes)], { type: `image/${format}` });
  const printed = Buffer.from(await (await setDensity(picture, 600)).arrayBuffer());
  const { density, width, height } = await sharp(printed).metadata();
  expect([density, width, height]).toEqual([600, 35, 45]);
  await expect(sharp(printed, { failOn: 'warning' }).raw().toBuffer()).resolves.toBeTruthy();
});

it('leaves a WebP as it is', async () => {
  const picture = new Blob(['RIFF'], { type: 'image/webp' });
  expect(await setDensity(picture, 600)).toBe(picture);
});
