/** A table in GitHub Flavored Markdown, within the lines of a text. */
export interface MarkdownTable {
  /** Positions of its first line, and of the line after its last one. */
  start: number;
  end: number;
  head: string[];
  rows: string[][];
}

const SEPARATOR = /^\|(?:\s*:?-{3,}:?\s*\|)+$/;
const isRow = (line: string) => line.startsWith('|') && line.endsWith('|') && line.length > 1;

export function findTables(lines: readonly string[]): MarkdownTable[] {
  const tables: MarkdownTable[] = [];
  for (let at = 1; at < lines.length; at += 1) {
    if (!SEPARATOR.test(lines[at]!) || !isRow(lines[at - 1]!)) continue;
    let end = at + 1;
    while (end < lines.length && isRow(lines[end]!)) end += 1;
    const rows = lines.slice(at + 1, end).map(cellsOf);
    tables.push({ start: at - 1, end, head: cellsOf(lines[at - 1]!), rows });
    at = end;
  }
  return tables;
}

/** Writes a row of a table as a sentence that names the column of each value: `Model: X; Price: 5.` Leaves out empty cells. */
export function namedRow(head: readonly string[], cells: readonly string[]): string {
  const values = cells.flatMap((cell, k) => {
    const name = head[k]?.replace(/[:\s]+$/, '');
    return cell === '' ? [] : [name && name !== cell ? `${name}: ${cell}` : cell];
  });
  const sentence = values.join('; ');
  return sentence === '' || /[.!?。]$/u.test(sentence) ? sentence : `${sentence}.`;
}

/** Writes the tables of a page as lines of named values, as {@link namedRow} does. The head alone is a line too. */
export const withNamedRows = (page: string): string =>
  replaceTables(page, ({ head, rows }) => [
    head.filter(Boolean).join(' '),
    ...rows.map((row) => namedRow(head, row)),
  ]);

/** Writes the rows of tables as plain lines, for readers that know no tables. */
export const flattenTables = (page: string): string =>
  replaceTables(page, ({ head, rows }) => [head, ...rows].map((cells) => cells.filter(Boolean).join(' ')));

function replaceTables(page: string, linesOf: (table: MarkdownTable) => string[]): string {
  if (!page.includes('|')) return page;
  const lines = page.split('\n');
  for (const table of findTables(lines).reverse()) {
    lines.splice(table.start, table.end - table.start, ...linesOf(table).filter(Boolean));
  }
  return lines.join('\n');
}

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
