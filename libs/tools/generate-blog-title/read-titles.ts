import { unquote } from '#libs/local-engine/text/unquote.js';
import { MOST_WORDS } from './contract.js';

const LONGEST_TITLE = 200;

/** "1.", "1)", "**1.**", "### 1:", "Title 1:" and "-", with their indentation. */
const listMark =
  /^(\s*)(?:#{1,6}\s+)?(?:\*\*|__)?(?:title\s*)?(?:(\d{1,3})\s*(?:\\?[.):]|-(?=\s))|[-*+•–])(?:\*\*|__)?\s*(?=\S)/i;

export interface TitleReader {
  add(piece: string): string[];
  /** Ends the answer and returns its last titles; all its lines if it has no list. */
  end(): string[];
  /** All titles of this answer and the earlier ones. */
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
    // The number before a title counts as a word.
    const length = title.split(/\s+/).length + 1;
    const fits = title.length <= LONGEST_TITLE && words + length <= MOST_WORDS;
    if (!/[\p{L}\p{N}]/u.test(title) || known.has(key) || !fits) return [];
    known.add(key);
    words += length;
    titles.push(title);
    return [title];
  };

  const read = (text: string): string[] => {
    const list = stringsOfJson(text);
    if (list) return list.flatMap(addTitle);
    const mark = listMark.exec(text);
    if (!mark) {
      if (text.trim()) unmarked.push(text);
      return [];
    }
    const [marker, space = '', number] = mark;
    // Indented lines, and dashes in a numbered list, explain the title above.
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
      const bare = indent === null ? unmarked.filter(isTitleLike).flatMap(addTitle) : [];
      line = '';
      indent = null;
      numbered = false;
      unmarked = [];
      return [...last, ...bare];
    },
  };
}

/** Whether an unmarked line is a title: no comment, fence or heading. */
const isTitleLike = (text: string) => !/^\s*(?:```|~~~|#{1,6}\s|[[\]{}])|[:：]\s*$/.test(text);

/** The strings of a line that is a JSON list, or null. */
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
    const bare = unquote(title.replace(/^(\*\*|__)(.*)\1$/, '$2').replace(/^(["“].*["”]),$/, '$1')).trim();
    if (bare === title) return title.replace(/\*\*$/, '');
    title = bare;
  }
}

/** The key of a title, without case, punctuation and marks of Markdown. */
export const titleKey = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The titles as the numbered Markdown list of a result. */
export const listOf = (titles: readonly string[]) =>
  titles.map((title, index) => `${index + 1}. ${title}\n`).join('');
