import { describe, expect, it } from '@jest/globals';
import { avoidedWordsIn, givenBrief, paragraphsOf, wordsToAvoid } from './brief.js';

describe('a brief', () => {
  it('has the fields that say something', () => {
    expect(givenBrief({ tone: 'warm', audience: '', points: 'a\nb' })).toEqual({
      tone: 'warm',
      points: 'a\nb',
    });
  });

  it('names words to avoid, which are found as whole words', () => {
    const words = wordsToAvoid({ avoid: 'Delve, tapestry;\nin conclusion, delve' });
    expect(words).toEqual(['delve', 'tapestry', 'in conclusion']);
    expect(avoidedWordsIn('Delved deeper. In conclusion, a DELVE.', words)).toEqual([
      'delve',
      'in conclusion',
    ]);
    expect(avoidedWordsIn('Tapestries delved.', words)).toEqual([]);
  });

  it('has sources whose paragraphs are counted', () => {
    expect(paragraphsOf('One\nline.\n\n \n\nTwo.\n')).toEqual(['One line.', 'Two.']);
  });
});
