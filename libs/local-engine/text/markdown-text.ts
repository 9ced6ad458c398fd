/** Left-to-right and other marks that reorder what follows them, and control characters. */
const unruly = /[^\P{Cc}\s]|[\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** Well-formed text without control characters, marks that reorder text, or lone surrogates; lines stay lines. */
export const plainText = (text: string) => text.toWellFormed().replace(unruly, '');

/** The same in one line. */
export const oneLine = (text: string) => plainText(text).replace(/\s+/gu, ' ').trim();

/**
 * Text as it is, for the middle of a Markdown line: what Markdown or HTML would take as its own is escaped, and
 * nothing else, so that the source stays readable when it is copied.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]<>|~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/(?<=^|\s)#/g, '\\#');
}

/** At most `letters` letters as a user counts them, cut between words where there are any, with "…" if cut. */
export function shorten(text: string, letters: number): string {
  const graphemes = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  if (graphemes.length <= letters) return text;
  const cut = graphemes.slice(0, letters - 1).join('');
  const lastSpace = cut.lastIndexOf(' ');
  const whole = lastSpace > cut.length * 0.6 ? cut.slice(0, lastSpace) : cut;
  return `${whole.replace(/[\s,;:.–—-]+$/u, '')}…`;
}

export function capitalise(text: string): string {
  // "iPhone" and "eBay" stay as they are.
  return /^\p{Ll}(?!\p{Lu})/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
