const MAX_CHARACTERS = 80;

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
export const jobTitleFrom = (text: string) => shorten(oneLine(text), MAX_CHARACTERS);
