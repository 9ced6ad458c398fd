import { foldLetters } from './fold-letters.js';
import { withNamedRows } from './markdown-tables.js';

/**
 * How a quotation is compared with a text. Case, white space and soft hyphens never count. `words` also ignores accents,
 * hyphens and punctuation; `signs` compares punctuation, and ignores hyphenation, Markdown marks and double quotation marks.
 */
type QuoteRules = 'words' | 'signs';

/** A normalised text; `origins[i]` is the offset of its character `i` in the original. */
interface Key {
  key: string;
  origins: number[];
}

/** A part of a quotation: its offsets in the text, and the end of its key. */
interface Place {
  start: number;
  end: number;
  next: number;
}

const OMISSION = /\s*\[?(?:…|\.{3,})\]?\s*/u;
/** With `signs`, shorter quotations are not looked up. */
const FEWEST_CHARACTERS = 2;
/** With `words`, the most characters of a page that a quotation with an omission may cover. */
const LONGEST_COVERED = 400;

/** A page in which quotations are found as whole words. "…" and "..." in a quotation match any words. */
export class QuotablePage {
  private normalised: Key | undefined;
  /** The page with the rows of its tables as sentences, if it has tables. */
  private named: QuotablePage | null | undefined;

  constructor(
    private readonly text: string,
    private readonly rules: QuoteRules = 'signs',
  ) {}

  /**
   * The page's own wording in one line, or null. With `signs`, omitted words stay omitted. Rows of tables are found with the
   * names of their columns (`Model: X; Price: 5`) and without, and are returned with them if possible.
   */
  find(quotation: string): string | null {
    if (this.named === undefined) {
      const text = withNamedRows(this.text);
      this.named = text === this.text ? null : new QuotablePage(text, this.rules);
    }
    return this.named?.find(quotation) ?? this.findHere(quotation);
  }

  private findHere(quotation: string): string | null {
    const parts = quotation
      .split(OMISSION)
      .map((part) => keyOf(trimPunctuation(part).normalize('NFC'), this.rules).key.trim())
      .filter((part) => part !== '');
    const places: Place[] = [];
    for (const part of parts) {
      const place = this.place(part, places.at(-1)?.next ?? 0);
      if (!place) return null;
      places.push(place);
    }
    const [first, last] = [places[0], places.at(-1)];
    if (!first || !last) return null;
    if (this.rules === 'words') {
      const isTooLong = places.length > 1 && last.end - first.start > LONGEST_COVERED;
      return isTooLong ? null : this.wordsIn(first.start, last.end);
    }
    if ((quotation.match(/[\p{L}\p{N}]/gu) ?? []).length < FEWEST_CHARACTERS) return null;
    const ending = /[.!?。！？]$/u.exec(quotation.trim())?.[0] ?? '';
    const found = places.map(({ start, end }) => this.wordsIn(start, end)).join(' … ');
    return this.text.startsWith(ending, last.end) ? found + ending : found;
  }

  private place(wanted: string, from: number): Place | null {
    const { key, origins } = (this.normalised ??= keyOf(this.text, this.rules));
    for (let at = key.indexOf(wanted, from); at >= 0; at = key.indexOf(wanted, at + 1)) {
      const next = at + wanted.length;
      const start = origins[at] ?? 0;
      const last = origins[next - 1] ?? 0;
      const end = last + String.fromCodePoint(this.text.codePointAt(last) ?? 0).length;
      const isWhole =
        this.rules === 'words'
          ? /^ ?$/.test(key.charAt(at - 1)) && /^ ?$/.test(key.charAt(next))
          : !splitsWord(this.text, start) && !splitsWord(this.text, end);
      if (isWhole) return { start, end, next };
    }
    return null;
  }

  private wordsIn(start: number, end: number): string {
    return this.text.slice(start, end).replace(this.named ? /[\s|]+/gu : /\s+/gu, ' ');
  }
}

export interface FoundQuote {
  /** From 1. */
  page: number;
  text: string;
}

export type QuoteFinder = (quote: string) => FoundQuote | null;

/** Finds quotations on the first page that has their words. */
export function createQuoteFinder(pages: readonly string[]): QuoteFinder {
  const quotable = pages.map((page) => new QuotablePage(page, 'words'));
  return (quote) => {
    for (const [index, page] of quotable.entries()) {
      const text = page.find(quote);
      if (text !== null) return { page: index + 1, text };
    }
    return null;
  };
}

function keyOf(text: string, rules: QuoteRules): Key {
  const comparable = rules === 'words' ? comparableLetter : comparableSign;
  let key = '';
  const origins: number[] = [];
  let index = 0;
  for (const character of text) {
    const compared = comparable(character, text.charAt(index - 1), text.charAt(index + character.length));
    if (compared !== ' ' || !key.endsWith(' ')) {
      key += compared;
      for (let i = 0; i < compared.length; i += 1) origins.push(index);
    }
    index += character.length;
  }
  return { key, origins };
}

function comparableLetter(character: string): string {
  const folded = foldLetters(character);
  if (/^[\p{L}\p{N}+#%$€£]+$/u.test(folded)) return folded;
  return /^[\u00ad\p{M}]$/u.test(character) ? '' : ' ';
}

function comparableSign(character: string, before: string, after: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character.toLowerCase();
  if (/[\s*_`|\\"“”„«»\u00ad]/u.test(character)) return '';
  if (/['‘’‚′]/u.test(character)) return "'";
  // A dash between or before digits has a meaning ("2019-2021", "-5 %"); between letters it may be hyphenation.
  if (/\p{Pd}|−/u.test(character)) return /\d/.test(after) ? '-' : /^$|[\p{L}\s]/u.test(before) ? '' : '-';
  return character.normalize('NFKC').toLowerCase();
}

/** True if a word continues across this offset, in scripts with spaces between words. */
function splitsWord(text: string, index: number): boolean {
  const spaced =
    /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{N}]/u;
  return spaced.test(text.charAt(index - 1)) && spaced.test(text.charAt(index));
}

const trimPunctuation = (text: string) =>
  text.replace(/^[\s.,;:!?。，、；：！？]+|[\s.,;:!?。，、；：！？]+$/gu, '');
