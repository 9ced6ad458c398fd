import { describe, expect, it } from '@jest/globals';
import { QuotablePage } from './find-quote.js';

const page = new QuotablePage(
  'Revenue rose by 11 percent to\n18.4 million euros, from 2019–2021.\nThe “old” well-known bakers’ guild (Petkus) said: it’s so. Café closed at −5 degrees.',
);

describe('finding a quotation on a page', () => {
  it.each([
    ['across a line end', 'rose by 11 percent to 18.4 million', 'rose by 11 percent to 18.4 million'],
    ['in other capitals', 'REVENUE ROSE', 'Revenue rose'],
    ['with other quotation marks and dashes', "The 'old' well‑known", null],
    ['with other apostrophes and dashes', "bakers' guild", 'bakers’ guild'],
    ['with another dash between numbers', 'from 2019-2021', 'from 2019–2021'],
    ['with a hyphen lost at a line end', 'wellknown', 'well-known'],
    ['with punctuation put at its end', 'said: it’s so,', 'said: it’s so'],
    ['with words left out', 'Revenue rose … 18.4 million euros', 'Revenue rose … 18.4 million euros'],
    ['with words left out in the wrong order', '18.4 million euros ... Revenue rose', null],
    ['with marks of Markdown', '**Revenue** rose', 'Revenue rose'],
    ['in decomposed letters', 'Cafe\u0301 closed', 'Café closed'],
    ['with another number', 'rose by 12 percent', null],
    ['with a decimal point lost', '184 million', null],
    ['with a minus lost', 'closed at 5 degrees', null],
    ['with a word changed', 'Revenue grew by 11 percent', null],
    ['that begins within a word', 'venue rose', null],
    ['that ends within a number', 'percent to 18.4 mill', null],
    ['of nothing', ' … ', null],
  ])('%s', (_, quotation, found) => {
    expect(page.find(quotation)).toBe(found);
  });

  it('finds an item of a list by its dash', () => {
    expect(new QuotablePage('Thanks to:\n- Ada Byron\n- Alan').find('- Ada Byron - Alan')).toBe(
      'Ada Byron - Alan',
    );
  });

  it('works in scripts without spaces', () => {
    expect(new QuotablePage('春眠不覚暁、処処聞啼\n鳥。夜来風雨声').find('処処聞啼鳥')).toBe('処処聞啼 鳥');
  });
});
