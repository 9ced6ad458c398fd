import { describe, expect, it } from '@jest/globals';
import { choosePalette } from './palette.js';
import { randomFrom } from '../random.js';
import { styles } from './styles.js';
import { readScene } from './themes.js';

const scene = (words: string) => readScene(words, randomFrom(words));

describe.each(Object.entries(styles))('%s', (_, style) => {
  it.each(['day', 'sunset', 'night'] as const)('has 13 colours by %s', (time) => {
    expect(style[time]).toMatch(/^[0-9a-f]{6}(?: [0-9a-f]{6}){12}$/);
  });

  it('has clouds of noise or of three numbers each', () => {
    expect(style.clouds).toMatch(/^(?:noise|\d+ \d+ \d+(?:, \d+ \d+ \d+)*)$/);
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
