/** Converts a text to one line: each run of white space becomes one space. */
export const oneLine = (text: string) => text.replace(/\s+/gu, ' ').trim();

/** Shortens a text to at most `max` characters, including the "…" at its end. Counts Unicode code points. */
export function shorten(text: string, max: number): string {
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  return `${characters
    .slice(0, max - 1)
    .join('')
    .trimEnd()}…`;
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
