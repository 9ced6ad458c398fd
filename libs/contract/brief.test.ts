import { describe, expect, it } from '@jest/globals';
import { avoidedWordsIn, filledBrief, listedLines, paragraphsOf, wordsToAvoid } from './brief.js';

describe('a brief', () => {
  it('has the fields that are not blank', () => {
    expect(filledBrief({ tone: 'warm', audience: '', points: 'a\nb' })).toEqual({
      tone: 'warm',
      points: 'a\nb',
    });
  });

  it('lists the words to avoid and finds them as whole words', () => {
    const words = wordsToAvoid({ avoid: 'Delve, tapestry;\nin conclusion, delve' });
    expect(words).toEqual(['delve', 'tapestry', 'in conclusion']);
    expect(avoidedWordsIn('Delved deeper. In conclusion, a DELVE.', words)).toEqual([
      'delve',
      'in conclusion',
    ]);
    expect(avoidedWordsIn('Tapestries delved.', words)).toEqual([]);
  });

  it('reads words in quotation marks and lines of a pasted list', () => {
    expect(wordsToAvoid({ avoid: '„einzigartig“, "delve"; it’s' })).toEqual(['einzigartig', 'delve', 'it’s']);
    expect(listedLines('1. Warum Roggen?\n- höchstens 3 Teile\n\n• 2024 war gut\n3.5 % mehr')).toEqual([
      'Warum Roggen?',
      'höchstens 3 Teile',
      '2024 war gut',
      '3.5 % mehr',
    ]);
  });

  it('splits its sources into paragraphs', () => {
    expect(paragraphsOf('One\nline.\n\n \n\nTwo.\n')).toEqual(['One line.', 'Two.']);
  });
});
