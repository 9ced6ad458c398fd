/** One line: runs of blanks become one space. */
export const oneLine = (text: string) => text.replace(/\s+/gu, ' ').trim();

/** A text with at most `max` characters, with "…" where it is cut. */
export function shorten(text: string, max: number): string {
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  return `${characters
    .slice(0, max - 1)
    .join('')
    .trimEnd()}…`;
}

/** A job's short text for lists, made of a user's text: one line of at most 80 characters. */
export const jobTitleFrom = (text: string) => shorten(oneLine(text), 80);

/** A file's own name as one line of text, without folders; may be empty. */
export const plainFileName = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    // Joiners stay: they hold emoji together, and are part of Persian spelling.
    .replace(/[[\p{Cc}\p{Cf}\s]--[\u200c\u200d]]+/gv, ' ')
    .trim();

/** Whether PostgreSQL can store a text: it has no character NUL and no half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
