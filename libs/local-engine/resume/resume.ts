import { AppError, type ErrorCode } from '#libs/contract/errors.js';

export interface ResumeLine {
  /** From 1. */
  page: number;
  /** Number among the page's lines with text, from 1. */
  line: number;
  text: string;
}

export interface Resume {
  fileName: string;
  pages: string[];
  /** The lines with text, in order. */
  lines: ResumeLine[];
  text: string;
  words: number;
  /** The pages that are set in columns. */
  columns: readonly number[];
}

/** A file with less text is a cover page or a captioned image. A short resume of a beginner has 70 words. */
const MIN_WORDS = 40;
const MIN_LETTERS = 160;
/** A file with more text is a book. */
const MAX_WORDS = 20_000;
const MAX_CHARACTERS = 200_000;
/** Longer lines are split, since the time of checks grows with the square of a line's length. */
const LONGEST_LINE = 400;

/**
 * @param format of the file; a PDF may be a scan
 * @throws AppError UNREADABLE_PDF or UNREADABLE_DOCUMENT for too little text, or far too much
 */
export function toResume(
  fileName: string,
  pages: string[],
  columns: readonly number[] = [],
  format: 'pdf' | 'docx' = 'pdf',
): Resume {
  const code = format === 'pdf' ? 'UNREADABLE_PDF' : 'UNREADABLE_DOCUMENT';
  const tooLong = (length: string) =>
    new AppError(code, `This file has ${length}, far more than a resume. Upload the resume alone.`);
  const text = pages.join('\n');
  if (text.length > MAX_CHARACTERS) throw tooLong(`${text.length.toLocaleString('en-US')} characters`);
  const words = countWords(text);
  const letters = weighLetters(text);
  if (words < MIN_WORDS) throw tooShort(code, words, 'word', MIN_WORDS);
  if (letters < MIN_LETTERS) throw tooShort(code, letters, 'letter', MIN_LETTERS);
  if (words > MAX_WORDS) throw tooLong(`${words.toLocaleString('en-US')} words`);
  return { fileName, pages, lines: linesOf(pages), text, words, columns };
}

export const linesOf = (pages: readonly string[]): ResumeLine[] =>
  pages.flatMap((page, index) =>
    page
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .flatMap(breakLine)
      .map((line, position) => ({ page: index + 1, line: position + 1, text: line })),
  );

const tooShort = (code: ErrorCode, count: number, unit: string, fewest: number) =>
  new AppError(
    code,
    `This file has ${count === 0 ? 'no' : `only ${count}`} ${unit}${count === 1 ? '' : 's'} of text; a resume needs at least ${fewest}. If you see more, the rest is part of a picture: export the resume from your word processor so that its text can be selected, and upload it again.`,
  );

function breakLine(line: string): string[] {
  if (line.length <= LONGEST_LINE) return [line];
  const space = line.lastIndexOf(' ', LONGEST_LINE);
  const at = space > 0 ? space : LONGEST_LINE;
  return [line.slice(0, at), ...breakLine(line.slice(at).trimStart())];
}

export const BULLET = /^[•·▪◦●○■□‣⁃*\uf0b7\uf0a7➢►✓–—-]\s*(?=\S)/u;

export const isBullet = ({ text }: ResumeLine) => BULLET.test(text);

/** Counts words, also in scripts without spaces. */
export function countWords(text: string): number {
  let count = 0;
  for (const { isWordLike } of new Intl.Segmenter('en', { granularity: 'word' }).segment(text)) {
    if (isWordLike) count += 1;
  }
  return count;
}

/** Counts letters; a Chinese, Japanese or Korean one counts as three. */
function weighLetters(text: string): number {
  const dense =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  return (text.match(/\p{L}/gu)?.length ?? 0) + 2 * dense;
}
