import { AppError } from '#libs/contract/errors.js';

export interface ResumeLine {
  /** From 1. */
  page: number;
  /** Among the lines with text of its page, from 1. */
  line: number;
  text: string;
}

/** The text of a resume, and where each line of it stands. */
export interface Resume {
  fileName: string;
  pages: string[];
  /** The lines with text, in order. */
  lines: ResumeLine[];
  /** All pages as one text. */
  text: string;
  words: number;
}

/** Less than this is a scan, a cover page or a picture with a caption: nothing to judge, and much to invent. */
const FEWEST_WORDS = 100;
const FEWEST_LETTERS = 400;
/** More than this is a book. */
const MOST_WORDS = 20_000;
const MOST_CHARACTERS = 200_000;
/** Characters of a line; a longer one, which no page has room for, is read as several. Checks take time by its square. */
const LONGEST_LINE = 400;

/** @throws AppError UNREADABLE_PDF for too little text, or far too much */
export function toResume(fileName: string, pages: string[]): Resume {
  const text = pages.join('\n');
  const words = countWords(text);
  if (words < FEWEST_WORDS || weighLetters(text) < FEWEST_LETTERS) {
    throw new AppError(
      'UNREADABLE_PDF',
      `This PDF has too little text for a resume (${words} ${words === 1 ? 'word' : 'words'}; at least ${FEWEST_WORDS} are needed). Perhaps it is a scan or a picture: export it from your word processor so that its text can be selected, and upload it again.`,
    );
  }
  if (words > MOST_WORDS || text.length > MOST_CHARACTERS) {
    throw new AppError(
      'UNREADABLE_PDF',
      `This PDF has ${words.toLocaleString('en-US')} words, far more than a resume. Upload the resume alone.`,
    );
  }
  const lines = pages.flatMap((page, index) =>
    page
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .flatMap(breakLine)
      .map((line, position) => ({ page: index + 1, line: position + 1, text: line })),
  );
  return { fileName, pages, lines, text, words };
}

function breakLine(line: string): string[] {
  if (line.length <= LONGEST_LINE) return [line];
  const space = line.lastIndexOf(' ', LONGEST_LINE);
  const at = space > 0 ? space : LONGEST_LINE;
  return [line.slice(0, at), ...breakLine(line.slice(at).trimStart())];
}

/** Words as users count them, also in scripts that put no spaces between them. */
export function countWords(text: string): number {
  let count = 0;
  for (const { isWordLike } of new Intl.Segmenter('en', { granularity: 'word' }).segment(text)) {
    if (isWordLike) count += 1;
  }
  return count;
}

/** One Chinese, Japanese or Korean letter says what three of an alphabet do. */
function weighLetters(text: string): number {
  const dense =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  return (text.match(/\p{L}/gu)?.length ?? 0) + 2 * dense;
}
