import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { imageStyles, type ImageStyle } from '#libs/tools/generate-image/contract.js';
import { drawArtwork } from './draw.js';
import { randomFrom } from '../random.js';
import { readScene } from './scene.js';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';

allowTimeForPrograms();

/** Reads a picture at a quarter of its size, which takes less time. */
const render = (svg: string) => sharp(Buffer.from(svg), { density: 18 }).flatten();

/** The normalised brightness of 32 x 32 areas, so that neither colour nor exposure makes a difference. */
async function composition(svg: string): Promise<number[]> {
  return [...(await render(svg).resize(32, 32, { fit: 'fill' }).greyscale().normalise().raw().toBuffer())];
}

/** The mean colours of 16 x 16 areas over several pictures of one scene and their mirror images, which cancels the seed. */
async function look(style: ImageStyle): Promise<number[]> {
  const subjects = ['a mountain lake', 'the mountain lake', 'one mountain lake', 'that mountain lake'];
  const small = subjects.flatMap((subject) => {
    const svg = drawArtwork(subject, style, '1024x1024');
    return [false, true].map((flop) =>
      render(svg).flop(flop).resize(16, 16, { fit: 'fill' }).raw().toBuffer(),
    );
  });
  const pixels = await Promise.all(small);
  return [...(pixels[0] ?? [])].map(
    (_, k) => pixels.reduce((sum, each) => sum + (each[k] ?? 0), 0) / pixels.length,
  );
}

const difference = (a: number[], b: number[]) =>
  a.reduce((sum, value, k) => sum + Math.abs(value - (b[k] as number)), 0) / a.length;

describe('a picture', () => {
  it('depends on words, style and size only', () => {
    const draw = (words: string) => drawArtwork(words, 'Cartoon style', '1024x1024');
    expect(draw('A  mountain lake ')).toBe(draw('a mountain lake'));
    expect(draw('a mountain lake')).not.toBe(draw('the mountain lake'));
  });

  it('is composed differently in each style, not only coloured differently', async () => {
    const pictures = await Promise.all(
      imageStyles.map((style) =>
        composition(drawArtwork('a mountain lake and a forest', style, '1024x1024')),
      ),
    );
    for (const [k, one] of pictures.entries())
      for (const other of pictures.slice(k + 1)) expect(difference(one, other)).toBeGreaterThan(20);
  });

  it('looks different in each style, whatever the seed', async () => {
    // `Realistic` and `Realistic style` have the same look.
    const names = imageStyles.filter((style) => style !== 'Realistic style');
    const looks = await Promise.all(names.map(look));
    for (const [k, one] of looks.entries())
      for (const other of looks.slice(k + 1)) expect(difference(one, other)).toBeGreaterThan(16);
  });

  it.each(imageStyles)(
    'in %s depends on the words, even if the same themes are recognised',
    async (style) => {
      const [one, other] = ['a mountain lake', 'the mountain lake'];
      expect(readScene(one, randomFrom(''))).toEqual(readScene(other, randomFrom('')));
      const draw = (words: string) => composition(drawArtwork(words, style, '1024x1024'));
      expect(difference(await draw(one), await draw(other))).toBeGreaterThan(5);
    },
  );

  it.each(['1024x1024', '1536x1024', '1024x1536'] as const)('has the size %s', async (size) => {
    const { width, height } = await sharp(Buffer.from(drawArtwork('desert', '3D style', size))).metadata();
    expect(`${width}x${height}`).toBe(size);
  });

  it.each(imageStyles)('in %s contains no word of its description', (style) => {
    const svg = drawArtwork(
      '</svg><script>alert(1)</script> &xxe; "quoted" zebra xlink:href=file:///etc',
      style,
      '1024x1024',
    );
    expect(svg).not.toMatch(/script|alert|xxe|quoted|zebra|<image|file:|<text/);
    // Every reference is to a definition of the same file.
    expect(svg.match(/url\((?!#)/g)).toBeNull();
  });

  it.each(imageStyles)('in %s is drawn for any words', async (style) => {
    for (const words of ['雪山の夜', '', 'x'.repeat(4000), 'zzz', '🦊'])
      expect((await sharp(Buffer.from(drawArtwork(words, style, '1024x1024'))).metadata()).format).toBe(
        'svg',
      );
  });

  it.each(imageStyles)('in %s has no invalid number', (style) => {
    const words =
      'sea lake mountains forest city village lighthouse desert flowers space tech food cat bird person boat snow';
    expect(drawArtwork(words, style, '1536x1024')).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe('the words of a prompt', () => {
  const read = (words: string) => readScene(words, randomFrom(words));

  it('can name several themes', () => {
    const scene = read('A red lighthouse by the sea, birds and mountains on a snowy night');
    expect([...scene.themes].sort()).toEqual(['bird', 'lighthouse', 'mountains', 'sea']);
    expect(scene).toMatchObject({ time: 'night', snow: true, accent: '#d63a2f', recognised: true });
  });

  it('without a theme leave the choice to the seed', () => {
    const scene = read('quux');
    expect(scene.recognised).toBe(false);
    expect(scene.themes.size).toBeGreaterThan(0);
  });

  it('with more themes produce a picture with more parts', () => {
    const draw = (words: string) => drawArtwork(words, 'Realistic', '1024x1024').length;
    expect(draw('sea with flowers and a village')).toBeGreaterThan(draw('sea'));
  });
});
