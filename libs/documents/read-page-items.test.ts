import { expect, it } from '@jest/globals';
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { readPageItems } from './read-page-items.js';

/** A run of text as PDF.js returns it. */
const run = (str: string, dir: string, x: number, width: number) => ({
  str,
  dir,
  width,
  height: 10,
  fontName: 'f',
  transform: [10, 0, 0, 10, x, 700],
});
const pageOf = (items: ReturnType<typeof run>[]) =>
  ({
    userUnit: 1,
    getViewport: () => ({ width: 600, height: 800, transform: [1, 0, 0, -1, 0, 800] }),
    getTextContent: () => Promise.resolve({ items, styles: {} }),
  }) as unknown as PDFPageProxy;

it('puts the space of a line of Arabic that is written from left to right before the word on its left', async () => {
  const { items } = await readPageItems(
    pageOf([
      run('ﻰ', 'rtl', 100, 9),
      run('ﻟ', 'rtl', 109, 3),
      run('أو', 'rtl', 112, 8),
      run(' ', 'ltr', 120, 4),
      run('ﺔ', 'rtl', 124, 6),
    ]),
  );
  expect(items.map(({ text }) => text)).toEqual(['ﻰ', 'ﻟ', ' أو', 'ﺔ']);
});

it('puts a space that follows in reading order after its word', async () => {
  const { items } = await readPageItems(
    pageOf([
      run('سلام', 'rtl', 150, 30),
      run(' ', 'rtl', 146, 4),
      run('one', 'ltr', 100, 20),
      run(' ', 'ltr', 120, 4),
    ]),
  );
  expect(items.map(({ text }) => text)).toEqual(['سلام ', 'one ']);
});
