import { joinDividedWords } from './hyphenation.js';
import { WRAP } from './wrap.js';

/**
 * Prepares a PDF's text for display, search and quotations. Keeps line breaks, but joins the lines of a paragraph, which the
 * layout marks with {@link WRAP}. Replaces ligatures and presentation forms with plain letters, removes control and invisible
 * characters, and collapses spaces and empty lines. Joins words that are hyphenated at a line end.
 */
export function normalisePages(pages: string[]): string[] {
  return joinDividedWords(pages.map(clean)).map(joinLines);
}

/** Latin and Armenian ligatures, and Arabic presentation forms. */
const PRESENTATION_FORMS = /[\ufb00-\ufb17\ufb50-\ufdff\ufe70-\ufefc]+/g;
/** Soft hyphens, zero-width spaces, word joiners, byte order marks, and marks that set the text direction. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const SOFT_HYPHEN_AT_END = /\u00ad[^\S\n\u2028]*[\n\u2028]\s*/g;
// All control characters except the line feed. They are useless in a text, and PostgreSQL cannot store NUL.
// eslint-disable-next-line no-control-regex -- matching control characters is the purpose
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufffe\uffff]+/g;

function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2029\f\v]/g, '\n')
    .replace(SOFT_HYPHEN_AT_END, '')
    .replace(CONTROL, ' ')
    .replace(INVISIBLE, '')
    .replace(PRESENTATION_FORMS, (forms) => forms.normalize('NFKC'))
    .normalize('NFC')
    .replace(/[^\S\n\u2028]+/g, ' ')
    .replace(/ ?([\n\u2028]) ?/g, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Chinese and Japanese have no spaces between words. */
const UNSPACED = String.raw`[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]`;
const UNSPACED_WRAP = new RegExp(`(?<=${UNSPACED})${WRAP}(?=${UNSPACED})`, 'gu');

const joinLines = (page: string) => page.replace(UNSPACED_WRAP, '').replaceAll(WRAP, ' ');
