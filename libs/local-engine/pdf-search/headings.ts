const LONGEST = 90;

/**
 * The lines of a page that look like headings: short, no end of a sentence, with a capital, a number or a large part
 * of a line's start, and followed by longer text. A guess, from text alone; sizes of letters are not known here.
 */
export function headingsOf(page: string): string[] {
  const lines = page.split('\n');
  return lines.filter((line, index) => isHeading(line, lines[index + 1] ?? '', lines[index - 1] ?? ''));
}

function isHeading(line: string, next: string, previous: string): boolean {
  if (line.length > LONGEST || !/\p{L}{2}/u.test(line)) return false;
  // The end of a sentence, a colon before a list, a cell of a table, a page number in a table of contents.
  if (/[.!?。！？;；,，:：…]$|\.{3}|\s\d+$/u.test(line)) return false;
  if (!/^(?:\d+(?:\.\d+)*\.?\s+|[IVX]+\.\s+)?[\p{Lu}\p{Lo}]/u.test(line)) return false;
  // A line within a paragraph is as long as its neighbours; a heading is shorter than what follows.
  const startsNew = previous === '' || /[.!?。！？:：]$/u.test(previous);
  return startsNew && next.length > line.length && /^[\p{Lu}\p{Lo}\p{N}"“'‘(•-]/u.test(next);
}
