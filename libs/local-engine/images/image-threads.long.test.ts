import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { discMask, discOnBlue, pixelsOf } from '../../../test/support/image-files.js';
import { onImageThread } from './image-threads.js';
import type { ImageStep } from './thread.js';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';

allowTimeForPrograms();

const never = new AbortController().signal;
const removeBackground = (bytes: Buffer, signal = never) =>
  onImageThread('removeBackground', { bytes }, signal);
const removeObject = (bytes: Buffer, mask: Buffer) => onImageThread('removeObject', { bytes, mask }, never);

describe('background removal', () => {
  it('keeps the subject’s pixels and the size, and returns a file with alpha', async () => {
    const bytes = await discOnBlue(400, 300).png().toBuffer();
    const steps: ImageStep[] = [];
    const result = await onImageThread('removeBackground', { bytes }, never, (step) => steps.push(step));
    const { format, hasAlpha, channels } = await sharp(result.image).metadata();
    expect({ format, hasAlpha, channels }).toEqual({ format: 'png', hasAlpha: true, channels: 4 });
    const [output, given] = [await pixelsOf(result.image), await pixelsOf(bytes)];
    expect([output.width, output.height, result.width, result.height]).toEqual([400, 300, 400, 300]);
    expect(output.at(200, 150)).toEqual(given.at(200, 150));
    // Fully transparent pixels have no colour.
    expect(output.at(5, 5)).toEqual([0, 0, 0, 0]);
    expect(steps).toEqual([
      ...['decoding', 'segmenting'],
      { preview: expect.any(Uint8Array) },
      ...['refining', 'encoding'],
    ]);
    // In the preview, removed parts are red and the subject is unchanged.
    const preview = await pixelsOf(Buffer.from((steps[2] as { preview: Uint8Array }).preview));
    expect([preview.width, preview.height]).toEqual([400, 300]);
    expect(preview.at(5, 5)[0]).toBeGreaterThan(given.at(5, 5)[0]! + 50);
    expect(Math.abs(preview.at(200, 150)[0]! - given.at(200, 150)[0]!)).toBeLessThan(20);
    const { isOpaque } = await sharp(result.thumbnail).stats();
    expect(isOpaque).toBe(false);
  });

  it('is the same each time', async () => {
    const bytes = await discOnBlue(300, 300).jpeg().toBuffer();
    const [one, two] = [await removeBackground(bytes), await removeBackground(bytes)];
    expect(Buffer.from(one.image).equals(Buffer.from(two.image))).toBe(true);
  });

  it.each([
    ['wide', 4000, 160],
    ['tall', 120, 1500],
    ['small', 40, 30],
  ])('works for a %s picture', async (_, width, height) => {
    const result = await removeBackground(await discOnBlue(width, height).png().toBuffer());
    const { at } = await pixelsOf(result.image);
    expect([at(width / 2, height / 2)[3], at(1, 1)[3]]).toEqual([255, 0]);
  });

  it('applies the orientation of the camera', async () => {
    const bytes = await discOnBlue(400, 300).withMetadata({ orientation: 8 }).jpeg().toBuffer();
    expect(await removeBackground(bytes)).toMatchObject({ width: 300, height: 400 });
  });

  it('returns a picture without background unchanged', async () => {
    const first = await removeBackground(await discOnBlue(300, 200).png().toBuffer());
    const again = await removeBackground(Buffer.from(first.image));
    expect(again.kind).toBe('already');
    expect((await pixelsOf(again.image)).data.equals((await pixelsOf(first.image)).data)).toBe(true);
  });

  it.each([
    ['one pixel', () => discOnBlue(1, 1)],
    ['a line', () => discOnBlue(3000, 4)],
    [
      'nothing but one colour',
      () => sharp({ create: { width: 200, height: 200, channels: 3, background: '#88aacc' } }),
    ],
  ])('refuses %s', async (_, make) => {
    await expect(removeBackground(await make().png().toBuffer())).rejects.toMatchObject({
      name: 'AppError',
      code: 'ENGINE_CANNOT',
    });
  });

  it('refuses a damaged file', async () => {
    const bytes = (await discOnBlue(300, 300).jpeg().toBuffer()).subarray(0, 1000);
    await expect(removeBackground(bytes)).rejects.toMatchObject({
      name: 'AppError',
      code: 'UNREADABLE_IMAGE',
    });
  });
});

describe('object removal', () => {
  it('removes the object and keeps every pixel outside of the mask', async () => {
    const bytes = await discOnBlue(400, 300).png().toBuffer();
    const result = await removeObject(bytes, await discMask(400, 300));
    const [output, given] = [await pixelsOf(result.image), await pixelsOf(bytes)];
    const [r = 0, , b = 0] = output.at(200, 150);
    expect(b).toBeGreaterThan(r);
    let different = 0;
    for (let y = 0; y < 300; y += 1)
      for (let x = 0; x < 400; x += 1)
        if (
          Math.hypot(x - 200, y - 150) > 300 * 0.29 + 6 &&
          String(output.at(x, y)) !== String(given.at(x, y))
        )
          different += 1;
    expect(different).toBe(0);
    expect(result.share).toBeGreaterThan(0.15);
  });

  it('keeps the rest of a large picture bit for bit, although the filling is scaled', async () => {
    const bytes = await discOnBlue(2600, 2000).png().toBuffer();
    const result = await removeObject(bytes, await discMask(650, 500));
    const [output, given] = [await pixelsOf(result.image), await pixelsOf(bytes)];
    expect(output.data.subarray(0, 2600 * 4 * 380).equals(given.data.subarray(0, 2600 * 4 * 380))).toBe(true);
    const [r = 0, , b = 0] = output.at(1300, 1000);
    expect(b).toBeGreaterThan(r);
  });

  it('removes an object’s edges beyond the mask in a panorama, and keeps the rest', async () => {
    const [width, height] = [24_000, 60];
    const svg = (left: number, colour: string, ground: string) =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
          `<rect width="100%" height="100%" fill="${ground}"/>` +
          `<rect x="${left}" width="${width - 2 * left}" height="100%" fill="${colour}"/></svg>`,
      );
    const bytes = await sharp(svg(11_900, '#c00', '#38c'))
      .png()
      .toBuffer();
    const result = await removeObject(
      bytes,
      await sharp(svg(11_920, '#fff', '#000'))
        .png()
        .toBuffer(),
    );
    const output = await pixelsOf(result.image);
    const row = (from: number, to: number) =>
      new Set(Array.from({ length: to - from }, (_, x) => String(output.at(from + x, height / 2))));
    expect([...row(0, 11_700), ...row(12_300, width)]).toEqual(['51,136,204,255', '51,136,204,255']);
    for (const pixel of row(11_900, 12_100)) expect(Number(pixel.split(',')[0])).toBeLessThan(120);
  });

  it('keeps a transparent background transparent', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><circle cx="100" cy="100" r="30" fill="#c00"/></svg>';
    const result = await removeObject(
      await sharp(Buffer.from(svg)).png().toBuffer(),
      await discMask(200, 200, 0.2),
    );
    expect((await pixelsOf(result.image)).at(100, 100)[3]).toBe(0);
  });

  it.each([
    ['nothing', 0, 'Nothing is painted'],
    ['everything', 2, 'covers the whole picture'],
  ])('refuses a mask that covers %s', async (_, share, words) => {
    const bytes = await discOnBlue(200, 200).png().toBuffer();
    const mask = await discMask(200, 200, share);
    const error = await removeObject(bytes, mask).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'AppError',
      code: 'VALIDATION_FAILED',
      details: [{ field: 'mask' }],
    });
    expect((error as Error).message).toContain(words);
  });

  it('refuses a mask that cannot be read', async () => {
    const bytes = await discOnBlue(200, 200).png().toBuffer();
    await expect(removeObject(bytes, Buffer.from('no mask'))).rejects.toMatchObject({
      code: 'UNREADABLE_IMAGE',
    });
  });
});

describe('the threads', () => {
  it('end at once when a task is aborted in any step, and new ones start', async () => {
    const bytes = await discOnBlue(800, 600).png().toBuffer();
    const reason = new Error('cancelled');
    for (const last of ['none', 'decoding', 'segmenting', 'refining', 'encoding']) {
      const controller = new AbortController();
      const steps: ImageStep[] = ['none'];
      const removal = onImageThread('removeBackground', { bytes }, controller.signal, (step) => {
        if (typeof step === 'string') steps.push(step);
        if (step === last) controller.abort(reason);
      });
      if (last === 'none') controller.abort(reason);
      await expect(removal).rejects.toBe(reason);
      expect(steps.at(-1)).toBe(last);
    }
    await expect(removeBackground(await discOnBlue(200, 150).png().toBuffer())).resolves.toMatchObject({
      width: 200,
    });
  });

  it('do nothing if the signal is already aborted', async () => {
    const reason = new Error('too late');
    await expect(removeBackground(Buffer.alloc(0), AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('do not block the event loop with a picture of 4000 pixels', async () => {
    const bytes = await discOnBlue(4000, 3000).jpeg().toBuffer();
    const delay = monitorEventLoopDelay({ resolution: 10 });
    const started = performance.now();
    delay.enable();
    await removeBackground(bytes);
    delay.disable();
    // Without a thread, the delay would be as long as the work. The limit allows for a busy machine.
    expect(delay.max / 1e6).toBeLessThan((performance.now() - started) / 4);
  });

  it('accept many pictures at once and process a few at a time', async () => {
    const bytes = await discOnBlue(300, 200).png().toBuffer();
    const results = await Promise.all(Array.from({ length: 8 }, () => removeBackground(bytes)));
    expect(results.map(({ width }) => width)).toEqual(Array(8).fill(300));
  });
});
