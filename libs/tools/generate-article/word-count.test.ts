import { describe, expect, it } from '@jest/globals';
import { createWordCount } from './word-count.js';

const count = (...pieces: string[]) => {
  const words = createWordCount();
  return pieces.map((piece) => words.add(piece)).at(-1) ?? 0;
};

describe('counting words as they stream in', () => {
  it.each([
    ['plain words', ['one two three'], 3],
    ['a word cut in two', ['on', 'e tw', 'o'], 2],
    ['a space at the cut', ['one ', 'two', ' three'], 3],
    ['Markdown marks are no words', ['## One\n\n- **two**\n- *three* —'], 3],
    ['apostrophes and hyphens', ["don't well-known"], 2],
    ['Chinese, a character each', ['人工智能', '的未来'], 7],
    ['Arabic', ['مستقبل الذكاء'], 2],
    ['nothing', ['', ' \n'], 0],
  ] as [string, string[], number][])('%s', (_, pieces, expected) => {
    expect(count(...pieces)).toBe(expected);
  });
});
