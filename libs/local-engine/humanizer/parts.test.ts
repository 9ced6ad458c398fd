import { describe, expect, it } from '@jest/globals';
import { createPartAssembler } from './part-assembler.js';
import { linesOf, partsOf } from './parts.js';

const textsOf = (source: string) => linesOf(source).map(({ text }) => text);

describe('the parts of a text', () => {
  it.each([
    [
      'a letter',
      'Dear Sam,\nThank you for the tea.\n\nYours,\nPat',
      ['Dear Sam,', 'Thank you for the tea.', 'Yours,', 'Pat'],
    ],
    ['line breaks of Markdown', 'Dear Sam,  \nThank you\\\nPat', ['Dear Sam,', 'Thank you', 'Pat']],
    ['a list item', '- First line\n  Second line', ['First line', 'Second line']],
    [
      'a letter with a file name',
      'Dear Sam,\nthe file is called my_report.\nIt costs 3 * 4 [euros.\nYours,\nPat',
      ['Dear Sam,', 'the file is called my_report.', 'It costs 3 * 4 [euros.', 'Yours,', 'Pat'],
    ],
    [
      'a letter with emphasis over two lines',
      'Dear Sam,\nThis *goes on\nhere* and ends.\nPat',
      ['Dear Sam,', 'This *goes on here* and ends.', 'Pat'],
    ],
    [
      'the end of a letter',
      'Kind regards from all of us at the harbour office in Bergen,\nPat Larsen',
      ['Kind regards from all of us at the harbour office in Bergen,', 'Pat Larsen'],
    ],
    [
      'a note with a name',
      'Please find the minutes of our last meeting attached below\nPat',
      ['Please find the minutes of our last meeting attached below', 'Pat'],
    ],
    [
      'a verse',
      'The woods are lovely, dark and deep, But I have promises to keep\nAnd miles to go',
      ['The woods are lovely, dark and deep, But I have promises to keep', 'And miles to go'],
    ],
    ['a list with "about"', 'Flight ~2 h\nHotel ~80 €', ['Flight ~2 h', 'Hotel ~80 €']],
    ['a list of sizes', 'Room A 5 * 3 m\nRoom B 4 * 2 m', ['Room A 5 * 3 m', 'Room B 4 * 2 m']],
    ['a list with notes', 'Tea 5 *\nCake 6 *\nPat', ['Tea 5 *', 'Cake 6 *', 'Pat']],
    ['Windows line ends', 'Dear Sam,\r\nThank you.\r\n', ['Dear Sam,', 'Thank you.']],
  ])('are the lines of %s', (_, source, expected) => {
    expect(textsOf(source)).toEqual(expected);
  });

  it.each([
    [
      'wrapped',
      'The harbour was quiet in the early morning, and nobody had\nexpected the ship to arrive before the tide turned again,\nwhich it did.',
    ],
    ['with emphasis over lines', 'This *goes on\nhere* and ends.'],
    ['wrapped once', 'The harbour was quiet in the early morning, and nobody had\nexpected the ship.'],
    ['with struck words over lines', 'This ~~goes on\nhere~~ and ends.'],
    ['with a link over lines', 'See [the\npage](https://example.com) again.'],
  ])('are the paragraphs of a text %s', (_, source) => {
    expect(linesOf(source)).toEqual(partsOf(source));
  });

  it('are put back between the same line breaks', () => {
    const source = 'Dear Sam,\nThank you for the tea.\n\nYours,  \nPat\n';
    const parts = linesOf(source);
    const assembler = createPartAssembler(source, parts, () => undefined);
    for (const { number, text } of parts) assembler.fill(number, text.toUpperCase());
    expect(assembler.close()).toBe(source.toUpperCase());
  });
});
