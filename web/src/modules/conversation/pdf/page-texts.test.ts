import { describe, expect, it } from '@jest/globals';
import { findMarks, textsOfWords } from './page-texts.js';

const word = (text: string, left: number, top: number) => ({
  text,
  left,
  top,
  right: left + 0.1,
  bottom: top + 0.02,
});

describe('marks of recognised words', () => {
  const words = textsOfWords([
    word('The', 0.1, 0.1),
    word('rent', 0.25, 0.101),
    word('is', 0.4, 0.099),
    word('due', 0.1, 0.13),
    word('monthly.', 0.25, 0.13),
  ]);

  it('join the words of each line', () => {
    expect(findMarks(words, 'rent is due')?.boxes).toEqual([
      { left: 0.25, top: 0.099, right: 0.5, bottom: 0.101 + 0.02 },
      { left: 0.1, top: 0.13, right: 0.2, bottom: 0.15 },
    ]);
  });

  it('are absent for words that are not there', () => {
    expect(findMarks(words, 'the deposit')).toBeNull();
    expect(findMarks([], 'rent')).toBeNull();
  });
});
