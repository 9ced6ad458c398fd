import { describe, expect, it } from '@jest/globals';
import { normalisePages } from './normalise-pages.js';

const normalise = (text: string) => normalisePages([text])[0];

describe('text of a PDF', () => {
  it.each([
    ['spaces', '  a\u00a0 \t b \u3000c  \n  d ', 'a b c\nd'],
    ['empty lines', 'a\r\n\r\n\r\n\r\nb\rc', 'a\n\nb\nc'],
    ['ligatures', 'The o\ufb03ce \ufb01rst', 'The office first'],
    ['control characters', 'a\u0000b\u0007\u001fc\ufffe', 'a b c'],
    ['invisible characters', 'co\u00adop\u200berate\ufeff', 'cooperate'],
    ['shapes of Arabic letters', '\ufe8d\ufedf\ufeb4\ufefc\ufee1', 'السلام'],
    ['half of a surrogate pair', 'a\ud800b', 'a\ufffdb'],
    ['accents set apart', 'Cafe\u0301', 'Café'],
    ['a zero-width joiner, which Indic and Persian words need', 'می\u200cخواهم', 'می\u200cخواهم'],
  ])('has its %s in order', (_, text, expected) => {
    expect(normalise(text)).toBe(expected);
  });

  it('has words joined that a line end split', async () => {
    expect(normalise('an impor-\ntant, clear rule')).toBe('an important, clear rule');
    expect(normalise('one impor-\ntant\nnext line')).toBe('one important\nnext line');
  });

  it('keeps a hyphen that the word has on another page', async () => {
    expect(normalisePages(['a well-\nknown town', 'Well-known indeed'])).toEqual([
      'a well-known town',
      'Well-known indeed',
    ]);
  });

  it('keeps a hyphen before a capital and one after a digit', async () => {
    expect(normalise('the Rolls-\nRoyce of 2019-\nera')).toBe('the Rolls-Royce of 2019-era');
  });

  it('keeps all pages, including empty ones', async () => {
    expect(normalisePages(['', 'b', ' \n '])).toEqual(['', 'b', '']);
  });
});
