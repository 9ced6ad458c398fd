/**
 * Prepares a PDF's text for display, search and quotations. Keeps line breaks. Replaces ligatures and presentation forms
 * with plain letters, removes control and invisible characters, and collapses spaces and empty lines. Joins words that are
 * hyphenated at a line end, except words that also occur with a hyphen within a line.
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

/** Latin and Armenian ligatures, and Arabic presentation forms. */
const PRESENTATION_FORMS = /[\ufb00-\ufb17\ufb50-\ufdff\ufe70-\ufefc]+/g;
/** Soft hyphens, zero-width spaces, word joiners, byte order marks, and marks that set the text direction. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
// All control characters except the line feed. They are useless in a text, and PostgreSQL cannot store NUL.
// eslint-disable-next-line no-control-regex -- matching control characters is the purpose
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

/** Joins words that are hyphenated at a line end. @param hyphenated words in lower case that keep their hyphen */
function joinHyphenated(page: string, hyphenated: ReadonlySet<string>): string {
  return page.replace(
    /(?<!\p{L})(\p{L}+)[-\u2010]\n(\p{Ll}+)(\S*)[ \n]?/gu,
    (_, before: string, after: string, rest: string) => {
      const joint = hyphenated.has(`${before}-${after}`.toLowerCase()) ? '-' : '';
      return `${before}${joint}${after}${rest}\n`;
    },
  );
}
