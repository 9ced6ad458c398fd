import { normalisePages } from './normalise-pages.js';
import type { PdfReading } from './read-pdf.js';

/** Characters of a page that a text is divided into, about those of a printed page. */
const PAGE_CHARACTERS = 3_000;

export const readText = (text: string): PdfReading => ({
  pages: pagesOfText(text),
  scan: null,
  columns: [],
  words: new Map(),
  labels: null,
  details: { headings: [] },
  attachments: [],
});

/** Divides a text into pages between paragraphs, or between lines or words where a paragraph is longer than a page. */
function pagesOfText(text: string): string[] {
  const pages: string[] = [];
  for (let rest = text.replace(/\r\n?/g, '\n').trim(); rest !== '';) {
    const end = rest.length <= PAGE_CHARACTERS ? rest.length : endOfPage(rest);
    pages.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return normalisePages(pages);
}

function endOfPage(text: string): number {
  for (const separator of ['\n\n', '\n', ' ']) {
    const end = text.lastIndexOf(separator, PAGE_CHARACTERS);
    if (end > PAGE_CHARACTERS / 2) return end;
  }
  return PAGE_CHARACTERS;
}
