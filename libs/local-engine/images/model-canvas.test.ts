import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { discMask, discOnBlue, pixelsOf } from '../../../test/support/image-files.js';
import { onImageThread } from './image-threads.js';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';

allowTimeForPrograms();

const never = new AbortController().signal;
const lay = (bytes: Buffer, mask: Buffer | null = null) =>
  onImageThread('fitToCanvas', { bytes, mask }, never);
const svg = (width: number, height: number, shapes: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`,
    ),
  )
    .png()
    .toBuffer();

describe('a canvas', () => {
  it.each([
    [800, 800, '1024x1024'],
    [3000, 2000, '1536x1024'],
    [4000, 300, '1536x1024'],
    [1080, 1920, '1024x1536'],
    [900, 1000, '1024x1024'],
  ])('for %i x %i has the size %s', async (width, height, size) => {
    const canvas = await lay(await discOnBlue(width, height).png().toBuffer());
    expect(canvas.size).toBe(size);
    const made = await sharp(canvas.image).metadata();
    expect(`${made.width}x${made.height} ${made.format}`).toBe(`${size} png`);
  });

  it('extends the edge of the picture to the border, where the mask is opaque', async () => {
    const canvas = await lay(await discOnBlue(2000, 500).png().toBuffer(), await discMask(2000, 500));
    const image = await pixelsOf(canvas.image);
    expect(image.at(700, 0)).toEqual(image.at(700, canvas.place.top + 1));
    const mask = await pixelsOf(canvas.mask as Uint8Array);
    expect([mask.at(768, 512)[3], mask.at(5, 512)[3], mask.at(768, 3)[3]]).toEqual([0, 255, 255]);
  });
});

describe('an answer', () => {
  const finish = async (bytes: Buffer, answer: Buffer) => {
    const { size, place } = await lay(bytes);
    return onImageThread('mergeBackgroundRemoval', { bytes, answer, canvas: { size, place } }, never);
  };

  it('keeps the picture’s pixels if the model did not change the subject', async () => {
    const bytes = await discOnBlue(900, 600).png().toBuffer();
    const answer = await sharp(await discOnBlue(1536, 1024).ensureAlpha().png().toBuffer())
      .composite([
        { input: await svg(1536, 1024, '<circle cx="768" cy="512" r="256" fill="#fff"/>'), blend: 'dest-in' },
      ])
      .png()
      .toBuffer();
    const result = await finish(bytes, answer);
    expect(result).toMatchObject({ pixels: 'own', width: 900, height: 600 });
    const [made, given] = [await pixelsOf(result.image), await pixelsOf(bytes)];
    expect(made.at(450, 300)).toEqual(given.at(450, 300));
    expect(made.at(20, 20)).toEqual([0, 0, 0, 0]);
  });

  it('has the model’s pixels if the model changed the subject', async () => {
    const bytes = await discOnBlue(900, 600).png().toBuffer();
    const answer = await svg(1536, 1024, '<circle cx="700" cy="480" r="200" fill="#20c060"/>');
    const result = await finish(bytes, answer);
    expect(result.pixels).toBe('model');
    expect((await pixelsOf(result.image)).at(410, 281)).toEqual([32, 192, 96, 255]);
  });

  it.each([
    ['the canvas’s, smaller', 768, 512],
    ['the picture’s own', 900, 300],
    ['another', 512, 512],
  ])('is scaled to the picture’s size: %s', async (_, width, height) => {
    const bytes = await discOnBlue(900, 300).png().toBuffer();
    const answer = await svg(
      width,
      height,
      `<rect x="${width * 0.3}" y="${height * 0.4}" width="${width * 0.4}" height="${height * 0.2}" fill="#20c060"/>`,
    );
    const result = await finish(bytes, answer);
    expect(result).toMatchObject({ width: 900, height: 300, pixels: 'model' });
    const { at } = await pixelsOf(result.image);
    expect([at(450, 150)[3], at(5, 5)[3]]).toEqual([255, 0]);
  });

  it('is refused without transparency, or if it is no picture', async () => {
    const bytes = await discOnBlue(300, 200).png().toBuffer();
    const opaque = await discOnBlue(1536, 1024).png().toBuffer();
    await expect(finish(bytes, opaque)).rejects.toMatchObject({ name: 'EngineError', retryable: false });
    await expect(finish(bytes, Buffer.from('no'))).rejects.toMatchObject({
      name: 'EngineError',
      retryable: true,
    });
  });
});

describe('object removal', () => {
  const finish = async (bytes: Buffer, mask: Buffer | null, answer: Buffer) => {
    const { size, place } = await lay(bytes, mask);
    return onImageThread('mergeObjectRemoval', { bytes, mask, answer, canvas: { size, place } }, never);
  };

  it('changes only the pixels of the mask', async () => {
    const bytes = await discOnBlue(900, 600).png().toBuffer();
    const green = await svg(1536, 1024, '<rect width="1536" height="1024" fill="#20c060"/>');
    const maskBytes = await discMask(900, 600, 0.2);
    const result = await finish(bytes, maskBytes, green);
    const [made, given, mask] = [
      await pixelsOf(result.image),
      await pixelsOf(bytes),
      await pixelsOf(maskBytes),
    ];
    expect(made.at(450, 300)).toEqual([32, 192, 96, 255]);
    let different = 0;
    for (let i = 0; i < 900 * 600; i += 1) {
      const painted = (mask.data[i * 4] as number) > 15;
      if (!painted && made.data.readUInt32LE(i * 4) !== given.data.readUInt32LE(i * 4)) different += 1;
    }
    expect(different).toBe(0);
  });

  it('keeps the picture’s pixels where a cropped answer shows none', async () => {
    const bytes = await discOnBlue(900, 600).png().toBuffer();
    const { image } = await lay(bytes);
    const answer = await sharp(image)
      .resize(1024, 1024, { fit: 'cover' })
      .modulate({ brightness: 1.2 })
      .png()
      .toBuffer();
    const result = await finish(bytes, null, answer);
    expect(result).toMatchObject({ pixels: 'model', width: 900, height: 600 });
    const [made, given] = [await pixelsOf(result.image), await pixelsOf(bytes)];
    expect([made.at(20, 300), made.at(880, 20)]).toEqual([given.at(20, 300), given.at(880, 20)]);
    expect(made.at(450, 20)).not.toEqual(given.at(450, 20));
    expect(made.at(450, 300)[3]).toBe(255);
  });

  it('is the whole answer in the picture’s size without a mask', async () => {
    const bytes = await discOnBlue(900, 600).png().toBuffer();
    const green = await svg(1536, 1024, '<rect width="1536" height="1024" fill="#20c060"/>');
    const result = await finish(bytes, null, green);
    expect(result).toMatchObject({ pixels: 'model', width: 900, height: 600 });
  });
});
