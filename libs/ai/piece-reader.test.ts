import { expect, it } from '@jest/globals';
import { PieceReader } from './piece-reader.js';

function read(pieces: string[]): string {
  const reader = new PieceReader();
  return pieces.map((piece) => reader.add(piece)).join('') + reader.rest;
}

it.each([
  ['pieces of words', ['Ti', 'des ', 'turn', ' twice', ' a day.'], 'Tides turn twice a day.'],
  ['one piece', ['Tides turn.'], 'Tides turn.'],
  ['no piece', [], ''],
  ['empty pieces', ['', 'Tides', '', ' turn.', ''], 'Tides turn.'],
  ['repeated words', ['ha', 'ha', 'haha', ' again, again', ' again'], 'hahahaha again, again again'],
  ['a number and a longer one', ['1', '12', ' and 3'], '112 and 3'],
  ['growing spaces', ['  ', '    ', '      code'], '            code'],
  ['letters', [...'Tides turn.'], 'Tides turn.'],
  [
    'a text that is sent twice',
    ['Tides turn twice a day.', 'Tides turn twice a day.'],
    'Tides turn twice a day.',
  ],
  [
    'a piece that is sent often',
    Array<string>(4).fill('and so on and so on, '),
    'and so on and so on, '.repeat(4),
  ],
  ['what goes on without repeating', ['Tides', 'Tides turn', ' twice', ' a day.'], 'Tides turn twice a day.'],
])('keeps %s', (_, pieces, text) => {
  expect(read(pieces)).toBe(text);
});

it.each([
  ['words', ['Ti', 'Tides', 'Tides turn', 'Tides turn.']],
  ['letters', Array.from('Tides turn.', (_, i) => 'Tides turn.'.slice(0, i + 1))],
  ['the whole text again', ['Tides', 'Tides turn.', 'Tides turn.', '']],
  ['half a character', ['Tides turn', 'Tides turn\u{FFFD}', 'Tides turn.']],
])('takes what is new of pieces that repeat the text: %s', (_, pieces) => {
  expect(read(pieces).replace('\u{FFFD}', '.')).toBe('Tides turn.');
});

it('takes what is new after a step without words', () => {
  const text = 'Tides turn twice a day';
  expect(read([text, text, `${text}.`])).toBe(`${text}.`);
});
