import { describe, expect, it } from '@jest/globals';
import { avoidedWordsIn, filledBrief, paragraphsOf, wordsToAvoid } from './brief.js';

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

  it('splits its sources into paragraphs', () => {
    expect(paragraphsOf('One\nline.\n\n \n\nTwo.\n')).toEqual(['One line.', 'Two.']);
  });
});
