import { unquote } from '#libs/local-engine/text/unquote.js';
import { MOST_WORDS } from './contract.js';

const LONGEST_TITLE = 200;

/** Words before the number of a title. */
const LABEL = '(?:titles?|titel|titre|título|titolo|option|no\\.?|nr\\.?|#)';
/** Marks after the number of a title: "1.", "(1)", "[1]", "1/", "1、", "1️⃣" or "1 -". */
const AFTER_NUMBER = String.raw`(?:\uFE0F?\u20E3|\s*(?:\\?[.)\]）、．]|[:：](?!\d)|\/(?=\s))|\s*-(?=\s))`;
/** "1." with its marks, also in Chinese and full-width digits, or "①". */
const NUMBER = String.raw`[([（]?((?:[\d０-９]{1,3}|[一二三四五六七八九十]{1,3}(?=[、．.）]))(?=${AFTER_NUMBER})|[①-⑳](?![①-⑳]))(?:${AFTER_NUMBER})?`;
/**
 * Matches the marker of a list item with its indentation: "1.", "**1.**", "### 1:", "Title 1:", "(1)", "a)", "IV.", "-" or
 * "- [ ]". The asterisks of bold type and italics are none.
 */
const listMark = new RegExp(
  String.raw`^(\s*)(?:#{1,6}\s+)?(?:\*\*|__)?(?:(?:${LABEL}\s*)?${NUMBER}|(?:[a-l]|[ivx]{1,4})[.)](?=\s)|(?:[-+](?![-+])|\*(?=\s|[^*]*$)|[•–·‣])(?:\s*\[[ x]\])?)(?:\*\*|__)?\s*(?=\S)`,
  'i',
);

export interface TitleReader {
  add(piece: string): string[];
  /** Ends the answer and returns its remaining titles. If the answer has no list, all its lines are titles. */
  end(): string[];
  /** All titles of this answer and of earlier answers. */
  readonly titles: readonly string[];
}

/**
 * Parses the titles of streamed answers, in any list format. Duplicates, text around the list, and titles beyond the
 * word limit are ignored.
 */
export function createTitleReader(): TitleReader {
  const titles: string[] = [];
  const known = new Set<string>();
  let words = 0;
  let line = '';
  let indent: number | null = null;
  let numbered = false;
  let unmarked: string[] = [];
  /** True after a marker alone, as in "**Title 1:**": the next line is the title. */
  let isMarked = false;

  const addTitle = (text: string): string[] => {
    const title = clean(text);
    const key = titleKey(title);
    // The list number counts as a word too.
    const length = title.split(/\s+/).length + 1;
    const fits = title.length <= LONGEST_TITLE && words + length <= MOST_WORDS;
    if (!/[\p{L}\p{N}]/u.test(title) || known.has(key) || !fits) return [];
    known.add(key);
    words += length;
    titles.push(title);
    return [title];
  };

  const read = (line: string): string[] => {
    const text = bare(line);
    const list = stringsOfJson(text);
    if (list) return list.flatMap(addTitle);
    const mark = listMark.exec(text);
    if (!mark) {
      if (text.trim() === '') return [];
      if (isMarked) {
        isMarked = false;
        return addTitle(text);
      }
      unmarked.push(text);
      return [];
    }
    const [marker, space = '', number] = mark;
    // Skip indented lines, and dashes in a numbered list: they explain the title above.
    indent ??= space.length;
    if (space.length > indent + 1 || (numbered && number === undefined)) return [];
    numbered ||= number !== undefined;
    const marked = text.slice(marker.length);
    isMarked = !/[\p{L}\p{N}]/u.test(marked);
    return addTitle(marked);
  };

  return {
    titles,
    add(piece) {
      const lines = (line + piece).split('\n');
      line = lines.pop() ?? '';
      return lines.flatMap(splitLine).flatMap(read);
    },
    end() {
      const last = splitLine(line).flatMap(read);
      const lines = indent === null ? titlesAmong(unmarked).flatMap(addTitle) : [];
      line = '';
      indent = null;
      isMarked = false;
      numbered = false;
      unmarked = [];
      return [...last, ...lines];
    },
  };
}

/** Marks between titles on one line. */
const SEPARATORS = [/ (?=\d{1,2}[.)] )/, /(?<=["”»]) ?[,;] ?(?=["“«])/, / ?; /, / [|•·] /];
/** Fewer parts of a line are a sentence. */
const FEWEST_PARTS = 5;

/** The titles of a line that is too long for one, each as a line; items of an HTML list too. */
function splitLine(line: string): string[] {
  const items = line.replace(/<\/?[uo]l>|(?<=<\/li>)(?=\s*<)/g, '\n').split('\n');
  if (items.length > 1 || line.length <= LONGEST_TITLE || /^\s*(?:\||\[.*\]\s*$)/.test(line)) return items;
  const spaced = line.replace(/\s+/g, ' ');
  const parts = SEPARATORS.map((separator) => spaced.split(separator));
  return parts.find(({ length }) => length >= FEWEST_PARTS) ?? items;
}

/** The titles of an answer without a list: its lines, the first cells of its table, or its headings. */
function titlesAmong(lines: string[]): string[] {
  const body = lines.findIndex((line) => /^\s*\|[\s:|-]*-[\s:|-]*$/.test(line));
  if (body >= 0)
    return lines.slice(body + 1).flatMap((line) => /^\s*\|\s*([^|]*\S)\s*\|/.exec(line)?.[1] ?? []);
  const titles = lines.filter(isTitleLike);
  // Lines between bold lines explain them.
  const bold = titles.filter((line) => /^\s*(\*\*|__)\S.*\1(?:\s*[–—-]\s.*)?\s*$/.test(line));
  if (bold.length > 1) return bold;
  return titles.length > 0 ? titles : lines.filter((line) => /^\s*#{1,6}\s/.test(line));
}

/** A line about the titles: "Sure! Here they are." */
const REMARK =
  /^\s*(?:(?:sure|certainly|of course|absolutely|got it|okay|ok)\b.*[.!]|here (?:are|is)\b.*[.!])\s*$|^\s*(?:let me know|i hope|hope)\b/i;

/** True if a line without a list marker can be a title: no code fence, heading, bracket, tag, table or remark. */
const isTitleLike = (text: string) =>
  !/^\s*(?:```|~~~|#{1,6}\s|[[\]{}]|\||<\/?[\w-]+>\s*$)|[:：]\**\s*$/.test(text) && !REMARK.test(text);

/** The line without a tag around it, the mark of a quote, or the borders of a table: "<title>One</title>" is "One", "| 1 | One |" is "1. One". */
const bare = (line: string): string =>
  line
    .replace(/^\s*> ?/, '')
    .replace(/^(\s*)<([\w-]+)>(.*)<\/\2>\s*$/, '$1$3')
    .replace(/^\s*\|\s*(\d{1,3})\.?\s*\|\s*([^|]*\S)\s*\|.*$/, '$1. $2');

/** Parses a line that is a JSON array of strings; null for other lines. */
function stringsOfJson(text: string): string[] | null {
  if (!/^\s*\[.*\]\s*$/.test(text)) return null;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((entry) => typeof entry === 'string') ? list : null;
  } catch {
    return null;
  }
}

/** What follows a title in bold type or quotation marks: "**A title** – why it works", "“A title” (a list)". */
const EXPLANATION = String.raw`\s*(?:[–—-]\s.*|\(.*\))$`;
const EXPLAINED = new RegExp(
  String.raw`^(?:(\*\*|__)(\S+ \S+ \S.*?)\1|["“«]\s*(\S+ \S+ [^"”»]*?)\s*["”»])${EXPLANATION}`,
);
/** Its length, which some models add: "(58 characters)". */
const LENGTH_NOTE = /\s*\(\d+ (?:characters?|chars|words|Zeichen|Wörter|caract[eè]res|mots|palabras)\)$/i;

/** Removes bold type, quotation marks and commas around a title, and what explains it. */
function clean(text: string): string {
  let title = text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^#{1,6} /, '')
    .replace(LENGTH_NOTE, '')
    .replace(EXPLAINED, '$2$3');
  for (;;) {
    const unquoted = unquote(
      title
        .replace(/^(\*\*|__|[*_`])(?!\1)(.*)\1$/, (whole, mark: string, inside: string) =>
          inside.includes(mark) ? whole : inside,
        )
        .replace(/^(["“].*["”]),$/, '$1')
        .replace(/^[「『](.*)[」』]$/, '$1'),
    ).trim();
    if (unquoted === title) return title.replace(/\*\*$/, '');
    title = unquoted;
  }
}

/** Normalised title for finding duplicates: lower case, without punctuation and Markdown. */
export const titleKey = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Formats titles as a numbered Markdown list. */
export const listOf = (titles: readonly string[]) =>
  titles.map((title, index) => `${index + 1}. ${title}\n`).join('');
