/** A quotation and its page. */
export interface Quote {
  page: number;
  quote: string;
}

/** A normalised text; `origins[i]` is the offset of its character `i` in the original. */
interface Key {
  key: string;
  origins: number[];
}

/**
 * Normalises white space, line ends, hyphens within words, quotation marks and dashes, case, compatibility forms, and
 * Markdown marks.
 */
function keyOf(text: string): Key {
  let key = '';
  const origins: number[] = [];
  let index = 0;
  for (const character of text) {
    const plain = comparable(character, text.charAt(index - 1), text.charAt(index + character.length));
    for (const unit of plain) {
      key += unit;
      for (let i = 0; i < unit.length; i += 1) origins.push(index);
    }
    index += character.length;
  }
  return { key, origins };
}

function comparable(character: string, before: string, after: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character.toLowerCase();
  if (/[\s*_`"“”„«»\u00ad]/u.test(character)) return '';
  if (/['‘’‚′]/u.test(character)) return "'";
  // A dash between or before digits has a meaning ("2019-2021", "-5 %"); between letters it may be hyphenation.
  if (/\p{Pd}|−/u.test(character)) return /\d/.test(after) ? '-' : /[\p{L}\s]/u.test(before) ? '' : '-';
  return character.normalize('NFKC').toLowerCase();
}

/** Shorter quotations are not looked up. */
const FEWEST_CHARACTERS = 2;

export class QuotablePage {
  private normalised: Key | undefined;

  constructor(private readonly text: string) {}

  /**
   * Finds a quotation on the page: the page's own wording in one line, or null if the page does not contain it as whole
   * words. `…` and `...` in a quotation match any words.
   */
  find(quotation: string): string | null {
    const parts = quotation
      .split(/\s*(?:\[?(?:…|\.{3})\]?)\s*/)
      .map(trimPunctuation)
      .filter((part) => part !== '');
    if (parts.length === 0 || (quotation.match(/[\p{L}\p{N}]/gu) ?? []).length < FEWEST_CHARACTERS)
      return null;
    const found: string[] = [];
    const ending = /[.!?。！？]$/u.exec(quotation.trim())?.[0] ?? '';
    let from = 0;
    for (const part of parts) {
      const place = this.place(part, from);
      if (!place) return null;
      const end = part === parts.at(-1) && this.text.startsWith(ending, place.end) ? ending : '';
      found.push(this.text.slice(place.start, place.end).replace(/\s+/g, ' ') + end);
      from = place.next;
    }
    return found.join(' … ');
  }

  private place(part: string, from: number): { start: number; end: number; next: number } | null {
    const { key, origins } = (this.normalised ??= keyOf(this.text));
    const wanted = keyOf(part.normalize('NFC')).key;
    if (wanted === '') return null;
    for (let at = key.indexOf(wanted, from); at >= 0; at = key.indexOf(wanted, at + 1)) {
      const start = origins[at] ?? 0;
      const last = origins[at + wanted.length - 1] ?? 0;
      const end = last + String.fromCodePoint(this.text.codePointAt(last) ?? 0).length;
      if (!splitsWord(this.text, start) && !splitsWord(this.text, end))
        return { start, end, next: at + wanted.length };
    }
    return null;
  }
}

/** Whether a word continues across this offset, in scripts with spaces between words. */
function splitsWord(text: string, index: number): boolean {
  const spaced =
    /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{N}]/u;
  return spaced.test(text.charAt(index - 1)) && spaced.test(text.charAt(index));
}

/** Removes punctuation at both ends of a quotation. */
const trimPunctuation = (text: string) =>
  text.replace(/^[\s.,;:!?。，、；：！？]+|[\s.,;:!?。，、；：！？]+$/gu, '');
