/** Converts a text to one line: each run of white space becomes one space. */
export const oneLine = (text: string) => text.replace(/\s+/gu, ' ').trim();

const graphemes = new Intl.Segmenter('en');
const words = new Intl.Segmenter('en', { granularity: 'word' });
/** A word that takes a larger share of a shortened text is cut. */
const MAX_WORD_SHARE = 0.4;

/**
 * The start of a text: at most `max` Unicode code points, to the end of a word. Does not divide a character from its marks, or
 * an emoji.
 */
export function startOf(text: string, max: number): string {
  let [end, length] = [0, 0];
  for (const { segment, index } of graphemes.segment(text)) {
    length += Array.from(segment).length;
    if (length > max) break;
    end = index + segment.length;
  }
  if (end === text.length) return text;
  const { index } = words.segment(text.slice(0, end * 2 + 1)).containing(end)!;
  return text.slice(0, index >= end * (1 - MAX_WORD_SHARE) ? index : end).trimEnd();
}

/** Shortens a text to at most `max` Unicode code points, including the "…" at its end, which follows a whole word. */
export function shorten(text: string, max: number): string {
  if (startOf(text, max) === text) return text;
  const start =
    startOf(text, max - 1) ||
    Array.from(text)
      .slice(0, max - 1)
      .join('');
  return `${start.replace(/[\s,;:.–—、。，-]+$/u, '') || start}…`;
}

/** Shortens a user's text to a job's title in lists: one line of at most 80 characters. */
export const jobTitleFrom = (text: string) => shorten(oneLine(text), 80);

/** Removes folders and control characters from a file name. The result can be empty. */
export const plainFileName = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    // Keeps U+200C and U+200D: emoji and Persian words contain them.
    .replace(/[[\p{Cc}\p{Cf}\s]--[\u200c\u200d]]+/gv, ' ')
    .trim();

/** A control character but tab, line breaks and those of Latin-1, as a class of a regular expression. */
const CONTROL = String.raw`[\p{Cc}--[\t\n\r\u0080-\u009f]]`;

/**
 * Unpaired surrogates, which PostgreSQL cannot store, and control characters but tab and line breaks, which Word files cannot
 * hold and JSON enlarges six times.
 */
export const BROKEN_CHARACTERS = new RegExp(String.raw`[\p{Cs}${CONTROL}]`, 'v');
const CONTROLS = new RegExp(CONTROL, 'gv');
const CONTROLS_BUT_NUL = new RegExp(String.raw`[${CONTROL}--\0]`, 'gv');

/** True if the text has no {@link BROKEN_CHARACTERS}. */
export const isStorable = (text: string): boolean => !BROKEN_CHARACTERS.test(text);

/** Removes control characters but tabs and line breaks. The line and page breaks of word processors become line breaks. */
export const withoutControls = (text: string): string => replaceControls(text, CONTROLS);

const replaceControls = (text: string, controls: RegExp): string =>
  text.replace(/[\v\f]/g, '\n').replace(controls, '');

/**
 * Removes control characters from all texts of a value, as pasted text of PDF files has them. NUL characters stay, since no
 * such text has them.
 */
export const withoutPastedControls = <T>(value: T): T => cleaned(value) as T;

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return replaceControls(value, CONTROLS_BUT_NUL);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cleaned(one)]));
}

/** The end of a sentence with its reason: ": Spam.", or "." without one. */
export const because = (reason: string | null): string => (reason ? `: ${reason.replace(/\.?$/, '.')}` : '.');

/** A UUID of any version. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
