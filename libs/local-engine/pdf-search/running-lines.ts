/** The number of lines checked at a page's top and bottom. */
const EDGE = 2;
const FEWEST_PAGES = 3;

/** The share of a number's steps from page to page that are those of a page number. The others begin a chapter. */
const REGULAR_SHARE = 0.6;

/**
 * Removes running headers and footers: lines that repeat at the pages' edges, such as "Page 3 of 12". A line whose numbers
 * change without order, such as the total of an invoice, is content.
 */
export function withoutRunningLines(pages: string[]): string[] {
  const found = new Map<string, { page: number; numbers: number[] }[]>();
  for (const [page, text] of pages.entries()) {
    const lines = text.split('\n');
    for (const line of new Map([...edges(lines)].map((at) => [pattern(lines[at]!), lines[at]!])).values()) {
      const places = found.get(pattern(line)) ?? [];
      places.push({ page, numbers: (line.match(/\d+/g) ?? []).map(Number) });
      found.set(pattern(line), places);
    }
  }
  const enough = Math.max(FEWEST_PAGES, pages.filter((page) => page !== '').length / 2);
  const running = new Set(
    Array.from(found)
      .filter(([, places]) => places.length >= enough && countsPages(places))
      .map(([key]) => key),
  );
  const isRunning = (line: string) => running.has(pattern(line));
  return pages.map((page) => {
    const lines = page.split('\n');
    const checked = edges(lines);
    // A page that has only running lines keeps them.
    if (lines.every((line, at) => line === '' || (checked.has(at) && isRunning(line)))) return page;
    return lines
      .filter((line, at) => !(checked.has(at) && isRunning(line)))
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  });
}

/** Positions of the first and last lines of a page that are not empty. Rows of tables are no running lines. */
function edges(lines: string[]): Set<number> {
  const filled = lines.flatMap((line, at) => (line === '' ? [] : [at]));
  const found = [...filled.slice(0, EDGE), ...filled.slice(EDGE).slice(-EDGE)];
  return new Set(found.filter((at) => !lines[at]!.startsWith('|')));
}

/** A line with its digits replaced, because page numbers differ. */
const pattern = (line: string) => line.toLowerCase().replace(/\d+/g, '#');

/** True if each number of a line stays the same from page to page, or grows as page numbers do. */
function countsPages(places: readonly { page: number; numbers: number[] }[]): boolean {
  const columns = places[0]?.numbers.keys() ?? [];
  return Array.from(columns).every((column) => {
    const regular = places.filter(({ page, numbers }, index) => {
      const before = places[index - 1];
      const step = (numbers[column] ?? 0) - (before?.numbers[column] ?? 0);
      // A page of a scan can be a spread of two.
      return before !== undefined && step >= 0 && step <= 2 * (page - before.page);
    });
    return regular.length >= REGULAR_SHARE * (places.length - 1);
  });
}
