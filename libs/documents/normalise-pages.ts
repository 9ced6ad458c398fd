/**
 * Text as PDFs have it, made fit for reading, searching and quoting: lines kept; ligatures and presentation forms
 * as plain letters; control and invisible characters removed; one space where there were many; at most one empty
 * line; words that a line end had hyphenated joined again, across all pages as one text knows its words.
 */
export function normalisePages(pages: string[]): string[] {
  const hyphenated = new Set<string>();
  const cleaned = pages.map((page) => {
    const text = clean(page);
    for (const word of text.toLowerCase().match(/(?<!\p{L})\p{L}+-\p{L}+/gu) ?? []) hyphenated.add(word);
    return text;
  });
  return cleaned.map((page) => joinHyphenated(page, hyphenated));
}

/** Latin and Armenian ligatures, and the shapes of Arabic letters. */
const PRESENTATION_FORMS = /[\ufb00-\ufb17\ufb50-\ufdff\ufe70-\ufefc]+/g;
/** Soft hyphens, zero-width spaces and joins, byte order marks, and marks of direction. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
// Everything of "control" but the line feed; a NUL could not even be stored.
// eslint-disable-next-line no-control-regex -- control characters are what it is about
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufffe\uffff]+/g;

function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029\f\v]/g, '\n')
    .replace(CONTROL, ' ')
    .replace(INVISIBLE, '')
    .replace(PRESENTATION_FORMS, (forms) => forms.normalize('NFKC'))
    .normalize('NFC')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** A hyphen at a line end is the line's, unless the text has the same word hyphenated within a line. */
function joinHyphenated(page: string, hyphenated: ReadonlySet<string>): string {
  return page.replace(
    /(?<!\p{L})(\p{L}+)[-\u2010]\n(\p{Ll}+)(\S*)[ \n]?/gu,
    (_, before: string, after: string, rest: string) => {
      const joint = hyphenated.has(`${before}-${after}`.toLowerCase()) ? '-' : '';
      return `${before}${joint}${after}${rest}\n`;
    },
  );
}
