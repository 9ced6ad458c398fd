import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { imageStyles } from '#libs/tools/generate-image/contract.js';
import { drawArtwork } from './draw.js';
import { randomFrom } from './random.js';
import { readScene } from './themes.js';

const distinct = imageStyles.filter((style) => style !== 'Realistic style');

/** A picture as 32 x 32 brightnesses, evened out, so that neither colour nor exposure makes the difference. */
async function composition(svg: string): Promise<number[]> {
  const grey = sharp(Buffer.from(svg)).flatten().resize(32, 32, { fit: 'fill' }).greyscale().normalise();
  return [...(await grey.raw().toBuffer())];
}

const difference = (a: number[], b: number[]) =>
  a.reduce((sum, value, k) => sum + Math.abs(value - (b[k] as number)), 0) / a.length;

describe('a picture', () => {
  it('is the same for the same words, style and size, and another for others', () => {
    const draw = (words: string) => drawArtwork(words, 'Cartoon style', '1024x1024');
    expect(draw('A  mountain lake ')).toBe(draw('a mountain lake'));
    expect(draw('a mountain lake')).not.toBe(draw('the mountain lake'));
  });

  it('is composed differently in each style, not only coloured differently', async () => {
    const pictures = await Promise.all(
      distinct.map((style) => composition(drawArtwork('a mountain lake and a forest', style, '1024x1024'))),
    );
    for (const [k, one] of pictures.entries())
      for (const other of pictures.slice(k + 1)) expect(difference(one, other)).toBeGreaterThan(20);
  }, 120_000);

  it.each(['1024x1024', '1536x1024', '1024x1536'] as const)('has the size %s', async (size) => {
    const { width, height } = await sharp(Buffer.from(drawArtwork('desert', '3D style', size))).metadata();
    expect(`${width}x${height}`).toBe(size);
  });

  it.each(distinct)('in %s never holds a word of its description', (style) => {
    const svg = drawArtwork(
      '</svg><script>alert(1)</script> &xxe; "quoted" zebra xlink:href=file:///etc',
      style,
      '1024x1024',
    );
    expect(svg).not.toMatch(/script|alert|xxe|quoted|zebra|<image|file:|<text/);
    // Every address in it is a place in itself.
    expect(svg.match(/url\((?!#)/g)).toBeNull();
  });

  it.each(distinct)('in %s is drawn for any words at all', async (style) => {
    for (const words of ['雪山の夜', '', 'x'.repeat(4000), 'zzz', '🦊'])
      expect((await sharp(Buffer.from(drawArtwork(words, style, '1024x1024'))).metadata()).format).toBe(
        'svg',
      );
  });

  it.each(distinct)('in %s has no number that is not one', (style) => {
    const words =
      'sea lake mountains forest city village lighthouse desert flowers space tech food cat bird person boat snow';
    expect(drawArtwork(words, style, '1536x1024')).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe('the words', () => {
  const read = (words: string) => readScene(words, randomFrom(words));

  it('are all heeded, not the first alone', () => {
    const scene = read('A red lighthouse by the sea, birds and mountains on a snowy night');
    expect([...scene.themes].sort()).toEqual(['bird', 'lighthouse', 'mountains', 'sea']);
    expect(scene).toMatchObject({ time: 'night', snow: true, accent: '#d63a2f', recognised: true });
  });

  it('that say nothing known leave a free choice', () => {
    const scene = read('quux');
    expect(scene.recognised).toBe(false);
    expect(scene.themes.size).toBeGreaterThan(0);
  });

  it('with more themes give a picture with more in it', () => {
    const draw = (words: string) => drawArtwork(words, 'Realistic', '1024x1024').length;
    expect(draw('sea with flowers and a village')).toBeGreaterThan(draw('sea'));
  });
});
