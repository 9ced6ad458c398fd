import type { Citation } from '#libs/contract/pdf-chats.js';
import type { ContactQuestion } from '#libs/local-engine/pdf-questions/contact.js';
import type { PassageIndex } from './search.js';

const MOST_QUOTES = 3;
const QUOTE_CHARACTERS = 240;
/** In a document with at most this many pages, a single fact is taken as the requested one. */
const FEW_PAGES = 3;
/** Words near a number that mark it as contact information. */
const LABEL =
  /\b(?:tel|phone|mobile|cell|call|fax|hotline|line|contact|reach|reached|e-?mail|mail|web|site|linkedin|github)\b|[☎✆📞✉@]/iu;

/** The lines with the requested fact, best match with its owner first. */
export function findContact(
  index: PassageIndex,
  { form, whose }: ContactQuestion,
  pageCount: number,
): Citation[] {
  const wanted = new Set(index.terms.of(whose));
  const shared = (text: string) => index.terms.of(text).filter((term) => wanted.has(term)).length;
  const found: (Citation & { value: string; fits: number })[] = [];
  for (const { page, heading, sentences, isContents } of index.passages) {
    if (isContents) continue;
    for (const [at, sentence] of sentences.entries()) {
      const match = form.exec(sentence);
      const value = match?.[0].replace(/[\s().–-]/g, '').toLowerCase();
      if (!match || value === undefined || found.some((other) => other.value === value)) continue;
      const near = `${heading} ${sentences[at - 1] ?? ''} ${sentences[at + 1] ?? ''}`;
      const fits = 4 * shared(sentence) + 2 * shared(near) + (LABEL.test(sentence) ? 1 : 0);
      found.push({ page, quote: around(sentence, match.index, match[0].length), value, fits });
    }
  }
  const isOnly = found.length === 1 && pageCount <= FEW_PAGES;
  const fitting = wanted.size === 0 || isOnly ? found : found.filter(({ fits }) => fits > 1);
  const best = Math.max(0, ...fitting.map(({ fits }) => fits));
  const isSure = best > 1;
  return fitting
    .filter(({ fits }) => !isSure || fits >= best / 2)
    .sort((a, b) => b.fits - a.fits)
    .slice(0, MOST_QUOTES)
    .filter(({ quote }, at, all) => all.findIndex((other) => other.quote === quote) === at)
    .map(({ page, quote }) => ({ page, quote }));
}

/** Cuts a long sentence to whole words around the fact. */
function around(sentence: string, at: number, length: number): string {
  if (sentence.length <= QUOTE_CHARACTERS) return sentence;
  const start = sentence.indexOf(' ', Math.max(0, at - QUOTE_CHARACTERS / 2));
  const end = sentence.lastIndexOf(' ', at + length + QUOTE_CHARACTERS / 2);
  return sentence.slice(start < 0 || start > at ? 0 : start + 1, end < at + length ? undefined : end);
}
