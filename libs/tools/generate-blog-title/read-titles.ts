import { unquote } from '#libs/local-engine/text/unquote.js';
import { MOST_WORDS } from './contract.js';

const LONGEST_TITLE = 200;

/** Matches the marker of a list item with its indentation: "1.", "1)", "**1.**", "### 1:", "Title 1:" or "-". */
const listMark =
  /^(\s*)(?:#{1,6}\s+)?(?:\*\*|__)?(?:title\s*)?(?:(\d{1,3})\s*(?:\\?[.):]|-(?=\s))|[-*+•–])(?:\*\*|__)?\s*(?=\S)/i;

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
      if (text.trim()) unmarked.push(text);
      return [];
    }
    const [marker, space = '', number] = mark;
    // Skip indented lines, and dashes in a numbered list: they explain the title above.
    indent ??= space.length;
    if (space.length > indent + 1 || (numbered && number === undefined)) return [];
    numbered ||= number !== undefined;
    return addTitle(text.slice(marker.length));
  };

  return {
    titles,
    add(piece) {
      const lines = (line + piece).split('\n');
      line = lines.pop() ?? '';
      return lines.flatMap(read);
    },
    end() {
      const last = read(line);
      const lines = indent === null ? unmarked.filter(isTitleLike).flatMap(addTitle) : [];
      line = '';
      indent = null;
      numbered = false;
      unmarked = [];
      return [...last, ...lines];
    },
  };
}

/** A line about the titles: "Sure! Here they are." */
const REMARK =
  /^\s*(?:(?:sure|certainly|of course|absolutely|got it|okay|ok)\b.*[.!]|here (?:are|is)\b.*[.!])\s*$|^\s*(?:let me know|i hope|hope)\b/i;

/** True if a line without a list marker can be a title: no code fence, heading, bracket, tag, table or remark. */
const isTitleLike = (text: string) =>
  !/^\s*(?:```|~~~|#{1,6}\s|[[\]{}]|\||<\/?[\w-]+>\s*$)|[:：]\s*$/.test(text) && !REMARK.test(text);

/** The line without a tag around it or the borders of a table: "<title>One</title>" is "One", "| 1 | One |" is "1. One". */
const bare = (line: string): string =>
  line
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

/** Removes bold type, quotation marks and commas around a title. */
function clean(text: string): string {
  let title = text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^#{1,6} /, '');
  for (;;) {
    const unquoted = unquote(
      title.replace(/^(\*\*|__)(.*)\1$/, '$2').replace(/^(["“].*["”]),$/, '$1'),
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
