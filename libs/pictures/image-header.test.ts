import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { cpuTimeOf } from '../../test/support/cpu-time.js';
import { animatedWebp, pngChunk, pngWithTexts } from '../../test/support/hostile-images.js';
import { BadImageHeader } from './header.js';
import { readImageHeader } from './image-header.js';

const folder = mkdtempSync(join(tmpdir(), 'pressroom-headers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plain = (width = 61, height = 47) =>
  sharp({ create: { width, height, channels: 4, background: '#38c8' } });

/** Reads the header from memory and from a file, and expects equal results. */
async function headerOf(bytes: Buffer) {
  const path = join(folder, 'image');
  writeFileSync(path, bytes);
  const [one, two] = await Promise.all([readImageHeader(bytes), readImageHeader({ path })]);
  expect(one).toEqual(two);
  return one;
}

describe('the header of an image', () => {
  it.each([
    ['PNG', () => plain().png(), 4],
    ['interlaced PNG', () => plain().png({ progressive: true }), 4],
    ['PNG of 16 bits', () => plain().toColourspace('rgb16').png(), 8],
    ['PNG with a palette', () => plain().png({ palette: true }), 4],
    ['JPEG', () => plain().jpeg(), 3],
    ['progressive JPEG', () => plain().jpeg({ progressive: true }), 6],
    ['JPEG in CMYK', () => plain().toColourspace('cmyk').jpeg(), 4],
    [
      'JPEG with metadata',
      () =>
        plain()
          .withExif({ IFD0: { Copyright: 'x'.repeat(9_000) } })
          .jpeg(),
      3,
    ],
    ['WebP', () => plain().removeAlpha().webp(), 4],
    ['WebP with alpha', () => plain().webp(), 4],
    ['lossless WebP', () => plain().webp({ lossless: true }), 4],
    ['GIF', () => plain().gif(), 8],
    ['TIFF', () => plain().tiff(), 8],
    ['AVIF', () => plain().avif(), 8],
  ])('of a %s gives its size', async (_, make, bytesPerPixel) => {
    const bytes = await make().toBuffer();
    expect(await headerOf(bytes)).toEqual({ width: 61, height: 47, bytesPerPixel });
  });

  it('of a HEIC gives the size of its largest image', async () => {
    expect(await headerOf(readFileSync('test/support/duck.heic'))).toMatchObject({
      width: 1000,
      height: 944,
    });
  });

  it('of an animation gives the size of its canvas', async () => {
    expect(await headerOf(await animatedWebp(61, 3))).toMatchObject({ width: 61, height: 61 });
  });

  it('is refused when it is cut off or damaged', async () => {
    const png = await plain().png().toBuffer();
    const jpeg = await plain().jpeg().toBuffer();
    const webp = await plain().webp().toBuffer();
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('no image at all, but some text'),
      png.subarray(0, 33),
      jpeg.subarray(0, 30),
      webp.subarray(0, 20),
      Buffer.concat([jpeg.subarray(0, 12), Buffer.alloc(50)]),
      Buffer.concat([png.subarray(0, 16), Buffer.alloc(8), png.subarray(24)]),
    ])
      await expect(headerOf(bytes)).rejects.toBeInstanceOf(BadImageHeader);
  });

  it('is refused without inflating it when it holds gigabytes of text', async () => {
    const bytes = await pngWithTexts();
    const read = () => expect(headerOf(bytes)).rejects.toBeInstanceOf(BadImageHeader);
    // Inflating it would take seconds.
    expect(await cpuTimeOf(1_000, read)).toBeLessThan(1_000);
  });

  it('is refused when it has endless parts', async () => {
    const [png, jpeg] = [await plain().png().toBuffer(), await plain().jpeg().toBuffer()];
    const chunks = Array<Buffer>(50_000).fill(pngChunk('tEXt', Buffer.from('a\0b')));
    const segments = Array<Buffer>(50_000).fill(Buffer.from([0xff, 0xe1, 0, 2]));
    for (const [image, at, parts] of [
      [png, 33, chunks],
      [jpeg, 2, segments],
    ] as const)
      await expect(
        headerOf(Buffer.concat([image.subarray(0, at), ...parts, image.subarray(at)])),
      ).rejects.toBeInstanceOf(BadImageHeader);
  });
});
