/** The number of lines checked at a page's top and bottom. */
const EDGE = 2;
const FEWEST_PAGES = 3;

/** Removes running headers and footers: lines that repeat at the pages' edges, such as "Page 3 of 12". */
export function withoutRunningLines(pages: string[]): string[] {
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const line of new Set(edges(page.split('\n')).map(pattern))) {
      counts.set(line, (counts.get(line) ?? 0) + 1);
    }
  }
  const enough = Math.max(FEWEST_PAGES, pages.filter((page) => page !== '').length / 2);
  const isRunning = (line: string) => (counts.get(pattern(line)) ?? 0) >= enough;
  return pages.map((page) => {
    const lines = page.split('\n');
    // A page that has only running lines keeps them.
    if (lines.length <= 2 * EDGE && lines.every(isRunning)) return page;
    return lines
      .filter(
        (line, index) => !((index < EDGE || index >= lines.length - EDGE) && line !== '' && isRunning(line)),
      )
      .join('\n')
      .trim();
  });
}

const edges = (lines: string[]) => [...lines.slice(0, EDGE), ...lines.slice(EDGE).slice(-EDGE)];

/** A line with its digits replaced, because page numbers differ. */
const pattern = (line: string) => line.toLowerCase().replace(/\d+/g, '#');
