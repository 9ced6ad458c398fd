import { describe, expect, it } from '@jest/globals';
import { joinDividedWords } from './hyphenation.js';
import { WRAP } from './wrap.js';

const ENGLISH = ' This is the text of the report that was written for the board and is kept in the office.';
const GERMAN = ' Das ist der Text des Berichts, den der Vorstand bekommen hat und der im Büro liegt.';
const joined = (text: string, rest = ENGLISH) =>
  joinDividedWords([text.replace('/', WRAP) + rest])[0]!.slice(0, -rest.length);

describe('words that are divided at line ends', () => {
  it.each([
    ['oper-/ating hours', 'operating hours'],
    ['the ven-/tilation', 'the ventilation'],
    ['the long-/term plan', 'the long-term plan'],
    ['an anti-/corrosion oil', 'an anti-corrosion oil'],
    ['interferon-/gamma test', 'interferon-gamma test'],
    ['price-/determining factors', 'price-determining factors'],
    ['a self-/locking nut', 'a self-locking nut'],
    ['a state-of-the-/art pump', 'a state-of-the-art pump'],
    ['a day-/to-day job', 'a day-to-day job'],
    ['an x-/ray', 'an x-ray'],
    ['a data-/base', 'a database'],
    ['serial number AX-/4471-B', 'serial number AX-4471-B'],
    ['from 2019-/2021', 'from 2019-2021'],
    ['a Rolls-/Royce', 'a Rolls-Royce'],
    ['in-/ and output', 'in-/ and output'],
    ['1990–/1995', '1990–1995'],
  ])('joins %j', (text, expected) => {
    expect(joined(text)).toBe(expected.replace('/', WRAP));
  });

  it('keeps the hyphen of a word without its second half', () => {
    expect(joined('Nord-/und Südsee', GERMAN)).toBe('Nord- und Südsee');
  });

  it('joins words of other languages', () => {
    expect(joined('der Kinder-/garten', GERMAN)).toBe('der Kindergarten');
  });

  it('follows the other spellings of the document first', () => {
    expect(joined('they co-/operate', ` They co-operate.${ENGLISH}`)).toBe('they co-operate');
    expect(joined('a well-/known town', ` A wellknown town.${ENGLISH}`)).toBe('a wellknown town');
    expect(joined('a Trace-/Monkey', ` A TraceMonkey.${ENGLISH}`)).toBe('a TraceMonkey');
  });

  // pdf.js omits soft hyphens.
  it('joins words that a soft hyphen divided, and no others', () => {
    expect(joined('every 400 oper/ating hours')).toBe('every 400 operating hours');
    expect(joined('that was for/get it')).toBe(`that was for${WRAP}get it`);
  });
});
