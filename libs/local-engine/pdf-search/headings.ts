const LONGEST = 90;

/**
 * Guesses a page's headings from its text alone: short lines without the end of a sentence that start with a capital or
 * a number and are followed by longer text.
 */
export function headingsOf(page: string): string[] {
  const lines = page.split('\n');
  return lines.filter((line, index) => {
    // An empty line may be between a heading and its text.
    const next = lines[index + 1] || lines[index + 2] || '';
    return !line.startsWith('|') && isHeading(line, next, lines[index - 1] ?? '');
  });
}

/** Section titles of a resume, whose next lines may be as short as the title. */
const SECTION =
  /^(?:(?:work |professional )?experience|employment(?: history)?|education|(?:technical |key )?skills|languages?|interests|hobbies|certifications?|projects|publications|awards|references|summary|profile|contact)$/i;

/** A short line in capitals, such as `WORK EXPERIENCE`. */
const isInCapitals = (line: string) =>
  line.length <= 40 && /\p{Lu}{3}/u.test(line) && /^[\p{Lu}\s&/,'’-]+$/u.test(line);

function isHeading(line: string, next: string, previous: string): boolean {
  if (line.length > LONGEST || !/\p{L}{2}/u.test(line)) return false;
  if (next !== '' && SECTION.test(line)) return true;
  if (isInCapitals(line)) return next !== '' && !isInCapitals(next) && !isInCapitals(previous);
  // Excludes ends of sentences, colons before lists, table cells, and lines of a table of contents.
  if (/[.!?。！？;；,，:：…]$|\.{3}|\s\d+$/u.test(line)) return false;
  if (!/^(?:\d+(?:\.\d+)*\.?\s+|[IVX]+\.\s+)?[\p{Lu}\p{Lo}]/u.test(line)) return false;
  // A heading is shorter than the text below it.
  const startsNew = previous === '' || /[.!?。！？:：]$/u.test(previous);
  return startsNew && next.length > line.length && /^[\p{Lu}\p{Lo}\p{N}"“'‘(•-]/u.test(next);
}
