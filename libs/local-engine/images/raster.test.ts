import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { encode } from 'bmp-ts';
import { pngChunk } from '../../../test/support/hostile-images.js';
import { discOnBlue } from '../../../test/support/image-files.js';
import { IMAGE_MAX_PIXELS, readMask, decodeImage, toPng } from './raster.js';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';

allowTimeForPrograms();

const photograph = () =>
  sharp('scripts/quality/images/photographs/duck.jpg').jpeg({ progressive: false }).toBuffer();
const photographAsPng = async () =>
  sharp(await photograph())
    .png()
    .toBuffer();

async function bitmap(width: number, height: number, bitPP: 24 | 32): Promise<Buffer> {
  const rgba = await discOnBlue(width, height).ensureAlpha().raw().toBuffer();
  const data = Buffer.alloc(rgba.length);
  // The encoder expects alpha, blue, green, red.
  for (let i = 0; i < rgba.length; i += 4) data.set([0, rgba[i + 2]!, rgba[i + 1]!, rgba[i]!], i);
  return encode({ data, width, height, bitPP }).data;
}

/** The start of a bitmap of 20,000 × 20,000 pixels. */
async function hugeBitmapHeader(): Promise<Buffer> {
  const header = (await bitmap(4, 4, 24)).subarray(0, 54);
  header.writeInt32LE(20_000, 18);
  header.writeInt32LE(20_000, 22);
  return header;
}

/** An uncompressed text: the keyword, two flags of zero, an empty language and translation. */
const withTextChunk = (png: Buffer) => {
  const text = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), Buffer.alloc(1_200_000, 'x')]);
  return Buffer.concat([png.subarray(0, 33), pngChunk('iTXt', text), png.subarray(33)]);
};

const withZeros = (jpeg: Buffer) => {
  const first = 4 + jpeg.readUInt16BE(4);
  return Buffer.concat([jpeg.subarray(0, first), Buffer.alloc(16), jpeg.subarray(first)]);
};

const flat = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 30, b: 60, alpha: 0.5 } } });

describe('a photo', () => {
  it.each([
    ['JPEG', () => discOnBlue(64, 48).jpeg().toBuffer()],
    ['WebP', () => discOnBlue(64, 48).webp().toBuffer()],
    ['grey PNG', () => discOnBlue(64, 48).greyscale().toColourspace('b-w').png().toBuffer()],
    ['16-bit PNG', () => discOnBlue(64, 48).toColourspace('rgb16').png().toBuffer()],
    ['CMYK JPEG', () => discOnBlue(64, 48).toColourspace('cmyk').jpeg().toBuffer()],
    ['PNG with a palette', () => discOnBlue(64, 48).png({ palette: true, colours: 16 }).toBuffer()],
    ['progressive JPEG', () => discOnBlue(64, 48).jpeg({ progressive: true }).toBuffer()],
  ])('in the form of %s becomes 8-bit sRGB with alpha', async (_, make) => {
    const photo = await decodeImage(await make());
    expect([photo.width, photo.height, photo.pixels.length]).toEqual([64, 48, 64 * 48 * 4]);
    expect(photo.pixels[3]).toBe(255);
  });

  it('keeps its colours in CMYK and 16 bits', async () => {
    for (const space of ['rgb16', 'cmyk'] as const) {
      const image = discOnBlue(64, 48).toColourspace(space);
      const { pixels } = await decodeImage(
        await (space === 'cmyk' ? image.jpeg({ quality: 100 }) : image.png()).toBuffer(),
      );
      const [r = 0, , b = 0] = pixels.subarray((24 * 64 + 32) * 4);
      expect(r).toBeGreaterThan(b + 80);
    }
  });

  it('is upright and has no metadata', async () => {
    const bytes = await discOnBlue(60, 40)
      .withExif({ IFD0: { Make: 'Camera', Artist: 'Somebody' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const photo = await decodeImage(bytes);
    expect([photo.width, photo.height]).toEqual([40, 60]);
    const { exif, icc, orientation } = await sharp(await toPng(photo)).metadata();
    expect([exif, icc, orientation]).toEqual([undefined, undefined, undefined]);
  });

  it('keeps its density', async () => {
    const bytes = await discOnBlue(60, 40).withDensity(300).jpeg().toBuffer();
    expect((await sharp(await toPng(await decodeImage(bytes))).metadata()).density).toBe(300);
  });

  it('of an animation is the first frame', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#00ff00'].map((background) =>
        sharp({ create: { width: 20, height: 10, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animated = await sharp(frames, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer();
    expect((await sharp(animated).metadata()).pages).toBe(2);
    const photo = await decodeImage(animated);
    expect([photo.width, photo.height, ...photo.pixels.subarray(0, 3)]).toEqual([20, 10, 255, 0, 0]);
  });

  it.each([
    ['AVIF', () => discOnBlue(64, 48).avif().toBuffer()],
    ['AVIF of 10 bits', () => discOnBlue(64, 48).avif({ bitdepth: 10 }).toBuffer()],
    ['GIF', () => discOnBlue(64, 48).gif().toBuffer()],
    ['TIFF', () => discOnBlue(64, 48).tiff().toBuffer()],
    [
      'TIFF with LZW',
      () => discOnBlue(64, 48).tiff({ compression: 'lzw', predictor: 'horizontal' }).toBuffer(),
    ],
    ['BMP', () => bitmap(64, 48, 24)],
    ['BMP without alpha in its fourth bytes', () => bitmap(64, 48, 32)],
    ['PNG with 1.2 MB of plain text', async () => withTextChunk(await discOnBlue(64, 48).png().toBuffer())],
    [
      'JPEG with zero bytes between segments',
      async () => withZeros(await discOnBlue(64, 48).jpeg().toBuffer()),
    ],
  ])('in the form of %s is decoded', async (_, make) => {
    const { width, height, pixels, fileNotice } = await decodeImage(await make());
    expect([width, height, pixels[3], fileNotice]).toEqual([64, 48, 255, undefined]);
    const [r = 0, , b = 0] = pixels.subarray((24 * 64 + 32) * 4);
    expect(r).toBeGreaterThan(b + 80);
  });

  it('of an iPhone is decoded', async () => {
    const photo = await decodeImage(readFileSync('test/support/duck.heic'));
    const original = await sharp('scripts/quality/images/photographs/duck.jpg')
      .removeAlpha()
      .raw()
      .toBuffer();
    let difference = 0;
    for (let i = 0; i < original.length; i += 1)
      difference += Math.abs(original[i]! - photo.pixels[Math.floor(i / 3) * 4 + (i % 3)]!);
    expect(difference / original.length).toBeLessThan(6);
  });

  it.each([
    ['two bytes', async () => (await photograph()).subarray(0, -2)],
    ['a third', async () => (await photograph()).subarray(0, (await photograph()).length * 0.67)],
    [
      'a third of a PNG',
      async () => (await photographAsPng()).subarray(0, (await photographAsPng()).length * 0.67),
    ],
  ])('without %s at its end is decoded, with a notice', async (_, make) => {
    const { fileNotice, pixels } = await decodeImage(await make());
    expect(fileNotice).toMatch(/^The end of this file is missing/);
    const [whole, top] = [await decodeImage(await photograph()), pixels.length / 4];
    expect(pixels.subarray(0, top).equals(whole.pixels.subarray(0, top))).toBe(true);
  });

  it('damaged in the middle is decoded, with another notice', async () => {
    const png = await photographAsPng();
    png.fill(0, Math.floor(png.length * 0.7), Math.floor(png.length * 0.7) + 100);
    expect((await decodeImage(png)).fileNotice).toMatch(/^A part of this file is damaged/);
  });

  it('of several frames or pages says that the first is used', async () => {
    const frames = [
      await photograph(),
      await sharp(await photograph())
        .negate()
        .toBuffer(),
    ];
    const join = { join: { animated: true } };
    const [gif, tiff] = [
      await sharp(frames, join).gif().toBuffer(),
      await sharp(frames, join).tiff().toBuffer(),
    ];
    expect((await decodeImage(gif)).fileNotice).toBe('This file has 2 frames. Only the first was used.');
    expect((await decodeImage(tiff)).fileNotice).toBe('This file has 2 pages. Only the first was used.');
  });

  it.each([
    ['no picture', async () => Buffer.from('hello')],
    ['empty', async () => Buffer.alloc(0)],
    ['a JPEG cut off', async () => (await discOnBlue(400, 300).jpeg().toBuffer()).subarray(0, 1200)],
    ['a PNG cut off', async () => (await discOnBlue(400, 300).png().toBuffer()).subarray(0, 3000)],
    ['a BMP of too many pixels', async () => Buffer.concat([await hugeBitmapHeader(), Buffer.alloc(100)])],
    [
      'of too many pixels',
      () =>
        flat(10_000, IMAGE_MAX_PIXELS / 10_000 + 1)
          .png()
          .toBuffer(),
    ],
  ])('is refused: %s', async (_, make) => {
    await expect(decodeImage(await make())).rejects.toMatchObject({ code: 'UNREADABLE_IMAGE' });
  });
});

describe('a mask', () => {
  const draw = (shapes: string, width = 40, height = 20) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`,
      ),
    )
      .png()
      .toBuffer();
  const painted = async (bytes: Buffer, width = 40, height = 20) => {
    const { values } = await readMask(bytes, width, height);
    expect(values.length).toBe(width * height);
    expect(new Set(values)).toEqual(new Set([0, 255]));
    return values.filter((value) => value === 255).length;
  };

  it('is painted where white on black', async () => {
    expect(
      await painted(
        await draw('<rect width="40" height="20"/><rect x="4" y="4" width="10" height="5" fill="#fff"/>'),
      ),
    ).toBe(50);
  });

  it('is painted where neither transparent nor black', async () => {
    expect(
      await painted(
        await draw(
          '<rect x="4" y="4" width="10" height="5" fill="#c00" opacity=".4"/><rect x="20" width="9" height="9"/>',
        ),
      ),
    ).toBe(50);
  });

  it('of another size is scaled without losing a thin stroke', async () => {
    const mask = await draw('<rect x="0" y="40" width="400" height="3" fill="#fff"/>', 400, 200);
    expect(await painted(mask)).toBeGreaterThanOrEqual(40);
  });
});
