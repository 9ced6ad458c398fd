const LONGEST = 80;

/** A user's text as a job's short text for lists: one line of at most 80 characters, with "…" where it is cut. */
export function jobTitleFrom(text: string): string {
  const letters = Array.from(text.replace(/\s+/gu, ' ').trim());
  if (letters.length <= LONGEST) return letters.join('');
  return `${letters
    .slice(0, LONGEST - 1)
    .join('')
    .trimEnd()}…`;
}
