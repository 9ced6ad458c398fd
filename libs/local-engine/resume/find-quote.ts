import { foldLetters } from './tokens.js';

export interface FoundQuote {
  /** From 1. */
  page: number;
  text: string;
}

export type QuoteFinder = (quote: string) => FoundQuote | null;

/** The most characters of a page that a quotation with an omission may cover. */
const LONGEST = 400;

/**
 * Finds quotations as whole words, ignoring case, accents, white space, hyphens and punctuation. "…" and "..." in a
 * quotation match any words.
 */
export function createQuoteFinder(pages: readonly string[]): QuoteFinder {
  const searchable = pages.map(toSearchable);
  return (quote) => {
    const parts = quote
      .split(/…|\.{3,}|\[\.{3}\]/u)
      .map((part) => toSearchable(part).words.trim())
      .filter(Boolean);
    if (parts.length === 0) return null;
    for (const [index, { words, origins }] of searchable.entries()) {
      const span = spanOf(words, parts);
      if (!span) continue;
      const start = origins[span.start] ?? 0;
      const end = (origins[span.end - 1] ?? 0) + 1;
      const text = (pages[index] ?? '').slice(start, end);
      if (parts.length === 1 || text.length <= LONGEST) {
        return { page: index + 1, text: text.replace(/\s+/gu, ' ').trim() };
      }
    }
    return null;
  };
}

function spanOf(words: string, parts: string[]): { start: number; end: number } | null {
  let start = -1;
  let from = 0;
  for (const part of parts) {
    const at = words.indexOf(` ${part} `, from);
    if (at < 0) return null;
    if (start < 0) start = at + 1;
    from = at + part.length + 1;
  }
  return { start, end: from };
}

/** The words joined by single spaces, and the origin of each character. */
function toSearchable(text: string): { words: string; origins: number[] } {
  let words = ' ';
  const origins = [0];
  let index = 0;
  for (const character of text) {
    const folded = foldLetters(character);
    const isWord = /^[\p{L}\p{N}+#%$€£]+$/u.test(folded);
    if (isWord) {
      words += folded;
      for (let i = 0; i < folded.length; i += 1) origins.push(index + character.length - 1);
    } else if (!words.endsWith(' ') && !/^[\u00ad\p{M}]?$/u.test(character)) {
      words += ' ';
      origins.push(index);
    }
    index += character.length;
  }
  if (!words.endsWith(' ')) {
    words += ' ';
    origins.push(index);
  }
  return { words, origins };
}
