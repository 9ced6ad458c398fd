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

/** True if PostgreSQL can store the text: it has no NUL character and no unpaired surrogate. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Removes control characters but tabs and line breaks. The line and page breaks of word processors become line breaks. */
export const withoutControls = (text: string): string =>
  text.replace(/[\v\f]/g, '\n').replace(/[\p{Cc}--[\t\n\r\u0080-\u009f]]/gv, '');

/** The end of a sentence with its reason: ": Spam.", or "." without one. */
export const because = (reason: string | null): string => (reason ? `: ${reason.replace(/\.?$/, '.')}` : '.');
