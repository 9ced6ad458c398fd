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
    expect(listedLines('- höchstens 3 Teile\n- \n\n• 2024 war gut\n3.5 % mehr')).toEqual([
      'höchstens 3 Teile',
      '2024 war gut',
      '3.5 % mehr',
    ]);
    expect(listedLines('•Point\n-keep it short\n*one idea\n-5 °C\n–10 %')).toEqual([
      'Point',
      'keep it short',
      'one idea',
      '-5 °C',
      '–10 %',
    ]);
  });

  it('loses numbers only where each of its lines has one', () => {
    expect(listedLines('1. Warum Roggen?\n\n 2) Wann?\n3. ')).toEqual(['Warum Roggen?', 'Wann?']);
    expect(listedLines('2. Weltkrieg')).toEqual(['2. Weltkrieg']);
    expect(listedLines('Ursachen\n2. Weltkrieg')).toEqual(['Ursachen', '2. Weltkrieg']);
    expect(listedLines('- Ursachen\n- 2. Weltkrieg')).toEqual(['Ursachen', '2. Weltkrieg']);
  });

  it('splits its sources into paragraphs', () => {
    expect(paragraphsOf('One\nline.\n\n \n\nTwo.\n')).toEqual(['One line.', 'Two.']);
  });
});
