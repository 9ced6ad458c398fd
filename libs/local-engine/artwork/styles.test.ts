import { describe, expect, it } from '@jest/globals';
import { imageStyles } from '#libs/tools/generate-image/contract.js';
import { motifs } from './motifs.js';
import { choosePalette } from './palette.js';
import { randomFrom } from '../random.js';
import { styleOf } from './styles.js';
import { readScene } from './scene.js';

const scene = (words: string) => readScene(words, randomFrom(words));

describe.each(imageStyles)('%s', (name) => {
  const style = styleOf(name);

  it.each(['day', 'sunset', 'night'] as const)('has 13 colours by %s', (time) => {
    const colours = Object.values(style[time]);
    expect(colours).toHaveLength(13);
    for (const colour of colours) expect(colour).toMatch(/^#[0-9a-f]{6}$/);
  });

  it('has clouds of noise or of three numbers each', () => {
    if (style.clouds !== 'noise') for (const cloud of style.clouds) expect(cloud).toHaveLength(3);
  });

  it('shows motifs that exist', () => {
    for (const motif of [style.sun, style.cloud, ...style.trees, ...style.woods, ...style.effects])
      expect(Object.keys(motifs)).toContain(motif);
  });

  it('takes its colours from the time, the weather, the season and the words', () => {
    const palette = (words: string) => choosePalette(style, scene(words), 0.5);
    expect(palette('lake').zenith).not.toBe(palette('lake at night').zenith);
    expect(palette('lake').zenith).not.toBe(palette('lake in the rain').zenith);
    expect(palette('lake').near).not.toBe(palette('lake in the snow').near);
    expect(palette('lake in may').leaf).not.toBe(palette('lake in october').leaf);
    expect(palette('a red boat').accent).toBe('#d63a2f');
  });
});
