/** @jest-environment node */
import { expect, it } from '@jest/globals';
import sharp from 'sharp';
import { addPhotoMetadata, readPhotoMetadata } from '#libs/pictures/photo-metadata.js';
import { readPngMetadata, setDensity, setExif } from './density.js';

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

it.each([
  [300, 300],
  [72, 72],
])('reads the density of a PNG of %i pixels per inch', async (density, expected) => {
  const photo = sharp({ create: { width: 3, height: 4, channels: 3, background: '#c33' } });
  const bytes = await photo.withMetadata({ density }).withIccProfile('srgb').png().toBuffer();
  expect((await readPngMetadata(new Blob([Uint8Array.from(bytes)], { type: 'image/png' }))).density).toBe(
    expected,
  );
});

it('reads no density where there is none', async () => {
  const bytes = await sharp({ create: { width: 3, height: 4, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();
  expect(
    (await readPngMetadata(new Blob([Uint8Array.from(bytes)], { type: 'image/png' }))).density,
  ).toBeUndefined();
});

it('carries date and copyright of a PNG over to a JPEG, with the density', async () => {
  const photo = sharp({ create: { width: 3, height: 4, channels: 3, background: '#c33' } });
  const details = { takenAt: '2024:05:01 10:30:00', copyright: '© Mara' };
  const png = addPhotoMetadata(await photo.clone().png().toBuffer(), details);
  const { exif } = await readPngMetadata(new Blob([Uint8Array.from(png)], { type: 'image/png' }));
  const jpeg = new Blob([Uint8Array.from(await photo.jpeg().toBuffer())], { type: 'image/jpeg' });
  const whole = await setExif(await setDensity(jpeg, 300), exif!);
  const bytes = Buffer.from(await whole.arrayBuffer());
  expect(await readPhotoMetadata(bytes)).toEqual(details);
  expect((await sharp(bytes).metadata()).density).toBe(300);
});
