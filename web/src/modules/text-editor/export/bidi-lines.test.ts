import { expect, it } from '@jest/globals';
import { bidiLines, hasRightToLeft, type Span } from './bidi-lines.js';

const arabicFont = /[\p{scx=Arabic}]+|[^\p{scx=Arabic}]+/gu;

/** The pieces of each line, from left to right. Each character is one unit wide. */
function lines(text: string | Span<string>[], direction: 'ltr' | 'rtl', width = 100): string[][] {
  const spans = typeof text === 'string' ? [{ text, style: '' }] : text;
  const options = {
    ...{ direction, width },
    measure: (piece: string) => piece.length,
    fontsOf: (piece: string, style: string) =>
      (piece.match(arabicFont) ?? []).map((run) => ({ text: run, style })),
  };
  return bidiLines(spans, options).map((line) => line.map((piece) => piece.text));
}

it('finds texts with letters from right to left', () => {
  expect(['Hello', 'אבג', 'a ب', '12'].map(hasRightToLeft)).toEqual([false, true, true, false]);
});

it.each<[string, 'ltr' | 'rtl', string[]]>([
  ['אבג דהו', 'rtl', ['דהו', ' ', 'אבג']],
  ['אבג Latin words.', 'rtl', ['.', 'Latin', ' ', 'words', ' ', 'אבג']],
  ['See אבג דהו, now', 'ltr', ['See', ' ', 'דהו', ' ', 'אבג', ',', ' ', 'now']],
  ['אבג 12.5 דהו', 'rtl', ['דהו', ' ', '12.5', ' ', 'אבג']],
  // Brackets are mirrored, also between two fonts.
  ['אבג (Latin)', 'rtl', ['(', 'Latin', ')', ' ', 'אבג']],
  ['(مرحبا)', 'rtl', ['(', 'مرحبا', ')']],
  // The font turns the digits of Arabic, which are read from left to right.
  ['مرحبا ١٢٣', 'rtl', ['٣٢١', ' ', 'مرحبا']],
  ['אבג ?!', 'rtl', ['!?', ' ', 'אבג']],
])('orders %s', (text, direction, pieces) => {
  expect(lines(text, direction)).toEqual([pieces]);
});

it('breaks lines before it orders words', () => {
  expect(lines('אבג דהו זחט', 'rtl', 7)).toEqual([['דהו', ' ', 'אבג'], ['זחט']]);
  expect(lines('אבג\nדהו', 'rtl')).toEqual([['אבג'], ['דהו']]);
  expect(lines('אבגדהוזח', 'rtl', 3)).toEqual([['אבג'], ['דהו'], ['זח']]);
});

it('keeps styles apart', () => {
  const spans = [
    { text: 'אבג ', style: 'bold' },
    { text: 'דהו', style: 'plain' },
  ];
  const [line] = bidiLines(spans, {
    ...{ direction: 'rtl', width: 100 },
    measure: (piece) => piece.length,
    fontsOf: (text, style) => [{ text, style }],
  });
  expect(line).toEqual([
    { text: 'דהו', style: 'plain' },
    { text: ' ', style: 'bold' },
    { text: 'אבג', style: 'bold' },
  ]);
});
