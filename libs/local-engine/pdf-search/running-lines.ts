/** The number of lines checked at a page's top and bottom. */
const EDGE = 2;
const FEWEST_PAGES = 3;

/** Removes running headers and footers: lines that repeat at the pages' edges, such as "Page 3 of 12". */
export function withoutRunningLines(pages: string[]): string[] {
  const counts = new Map<string, number>();
  for (const page of pages) {
    const lines = page.split('\n');
    for (const line of new Set([...edges(lines)].map((at) => pattern(lines[at]!)))) {
      counts.set(line, (counts.get(line) ?? 0) + 1);
    }
  }
  const enough = Math.max(FEWEST_PAGES, pages.filter((page) => page !== '').length / 2);
  const isRunning = (line: string) => (counts.get(pattern(line)) ?? 0) >= enough;
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
