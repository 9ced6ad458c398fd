import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';
import { answerOnPhoto } from './answer-area.js';
import type { Area } from './area.js';
import { onImageThread } from './image-threads.js';
import type { Canvas } from './model-canvas.js';
import { decodeImage, toSharp, type RgbaImage } from './raster.js';

allowTimeForPrograms();

const photographs = new URL('../../../scripts/quality/images/photographs/', import.meta.url);
const clear = { r: 0, g: 0, b: 0, alpha: 0 };

/** What services do with a canvas whose size they do not have, and whether they show the whole photo. */
const services: Record<string, [change: (canvas: Sharp, photo: Sharp) => Sharp, isWhole?: boolean]> = {
  'in the size that was asked': [(canvas) => canvas],
  'in half the size': [(canvas) => canvas.resize(768, 768, { fit: 'inside' })],
  'stretched to a square': [(canvas) => canvas.resize(1024, 1024, { fit: 'fill' })],
  'cropped to a square': [(canvas) => canvas.resize(1024, 1024, { fit: 'cover' }), false],
  'in a square with white bars': [
    (canvas) => canvas.resize(512, 512, { fit: 'contain', background: '#fff' }),
  ],
  'in a square with transparent bars': [
    (canvas) => canvas.ensureAlpha().resize(512, 512, { fit: 'contain', background: clear }),
  ],
  'stretched to 16:9': [(canvas) => canvas.resize(896, 512, { fit: 'fill' })],
  'cropped to 2:1': [(canvas) => canvas.resize(1024, 512, { fit: 'cover' }), false],
  'as a square with transparent bars to 3:2': [
    (canvas) =>
      canvas
        .ensureAlpha()
        .resize(512, 512, { fit: 'fill' })
        .extend({ left: 128, right: 128, background: clear }),
  ],
  'as a square with black bars to 3:2': [
    (canvas) =>
      canvas.resize(512, 512, { fit: 'fill' }).extend({ left: 128, right: 128, background: '#000' }),
  ],
  'without its canvas': [(_, photo) => photo.resize(600, 600, { fit: 'inside' })],
};

/** Mean difference per channel of small copies, where the texture of grass and fur has no weight. */
async function differenceOf(one: RgbaImage, other: RgbaImage, area: Area) {
  const small = (image: RgbaImage) =>
    toSharp(image).extract(area).resize(48, 48, { fit: 'fill' }).raw().toBuffer();
  const [a, b] = [await small(one), await small(other)];
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] as number)), 0) / a.length;
}

describe.each([
  ['giraffes.jpg', 720, 400],
  ['moose.jpg', 420, 700],
])('%s, %i x %i, comes back', (name, width, height) => {
  let photo: Buffer;
  let canvas: Canvas;
  let pixels: RgbaImage;
  beforeAll(async () => {
    photo = await sharp(await readFile(new URL(name, photographs)))
      .resize(width, height)
      .png()
      .toBuffer();
    canvas = await onImageThread('fitToCanvas', { bytes: photo, mask: null }, new AbortController().signal);
    pixels = await decodeImage(photo);
  });

  it.each(Object.entries(services))('%s', async (_, [change, isWhole = true]) => {
    // The model makes it lighter, and paints something that was not there.
    const paint = async (picture: Uint8Array) => {
      const box = await sharp({ create: { width: 60, height: 90, channels: 4, background: '#1ea0dc' } })
        .png()
        .toBuffer();
      return sharp(
        await sharp(picture)
          .modulate({ brightness: 1.04 })
          .composite([{ input: box }])
          .png()
          .toBuffer(),
      );
    };
    const answer = await change(await paint(canvas.image), await paint(photo))
      .ensureAlpha()
      .png()
      .toBuffer();
    const { image, covered } = await answerOnPhoto(await decodeImage(answer), canvas, pixels, {
      outside: 'mirrored',
    });
    expect([image.width, image.height]).toEqual([width, height]);
    const isCut = covered.width * covered.height < 0.95 * width * height;
    expect([covered, isCut]).toEqual([isWhole ? { left: 0, top: 0, width, height } : covered, !isWhole]);
    expect(await differenceOf(image, pixels, covered)).toBeLessThan(7);
    for (let i = 3; i < image.pixels.length; i += 4)
      if ((image.pixels[i] as number) < 255) throw new Error('a hole');
  });
});
