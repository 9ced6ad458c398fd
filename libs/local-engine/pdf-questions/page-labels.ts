import { PAGE_NAME } from '#libs/contract/page-labels.js';

/** The number printed on each page of a document, `''` for none; null if they are 1, 2, 3 and so on. */
export type PageLabels = readonly string[] | null;

const PLAIN = new RegExp(`^${PAGE_NAME}$`, 'u');

/** The printed number of a page, or null. */
export function labelOf(page: number, labels: PageLabels): string | null {
  const label = labels?.[page - 1] ?? '';
  return PLAIN.test(label) ? label : null;
}

/** The name of a page in an answer: its printed number, or else its place in the file. */
export const nameOfPage = (page: number, labels: PageLabels): string => labelOf(page, labels) ?? String(page);

/** Refers to a page in an answer: `[p. iii]`. */
export const pageMark = (page: number, labels: PageLabels): string => `[p. ${nameOfPage(page, labels)}]`;

/** The place in the file of the page with a printed number; null if no page has it. Case counts only between labels. */
export function pageWithLabel(text: string, labels: PageLabels): number | null {
  if (!labels || text === '') return null;
  const exact = labels.indexOf(text);
  const at = exact >= 0 ? exact : labels.findIndex((label) => label.toLowerCase() === text.toLowerCase());
  return at < 0 ? null : at + 1;
}

/**
 * The place in the file of the page that a model names, by its printed number or else by its place; the first of several pages,
 * as in `2-3`. Null for other texts. The place may be beyond the last page.
 */
export function placeOfPage(text: string, labels: PageLabels): number | null {
  const names = [text, ...[/\s*[–,&]\s*|\s-\s/, '-'].map((separator) => text.split(separator)[0] ?? '')];
  for (const name of names.map((each) => each.trim())) {
    const labelled = pageWithLabel(name, labels);
    if (labelled !== null) return labelled;
  }
  const number = names.find((name) => /^\d{1,5}$/.test(name.trim()));
  return number === undefined ? null : Number(number);
}

/** The first and last printed numbers of each run: "i to iv, 1 to 6". */
export function labelRanges(labels: PageLabels): string {
  const runs: [string, string][] = [];
  for (const [at, label] of (labels ?? []).entries()) {
    if (labelOf(at + 1, labels) === null) continue;
    const run = runs.at(-1);
    if (run && kindOf(run[1]) === kindOf(label) && label !== run[1] && !startsAgain(label)) run[1] = label;
    else runs.push([label, label]);
  }
  return runs.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(', ');
}

const kindOf = (label: string) =>
  /^[ivxlcdm]+$/.test(label) ? 'roman' : /^[IVXLCDM]+$/.test(label) ? 'Roman' : label.replace(/\d+$/, '#');

const startsAgain = (label: string) => /(?:^|\D)1$/.test(label) || /^[iI]$/.test(label);

const ROMAN = new Map(Object.entries({ i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 }));

/** The value of a Roman numeral in its usual form; 0 for other texts. */
export function readRoman(text: string): number {
  if (!/^m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/i.test(text)) return 0;
  const values = [...text.toLowerCase()].map((letter) => ROMAN.get(letter) ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}
