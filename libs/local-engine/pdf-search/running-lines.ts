/** Lines at a page's top and bottom that are looked at. */
const EDGE = 2;
const FEWEST_PAGES = 3;

/**
 * The pages without the lines that repeat at their edges: a report's name, "Page 3 of 12". They are on every page and
 * say nothing of any.
 */
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
    // A page that would have nothing left is all its edges: its lines are its text.
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

/** Numbers differ from page to page. */
const pattern = (line: string) => line.toLowerCase().replace(/\d+/g, '#');
