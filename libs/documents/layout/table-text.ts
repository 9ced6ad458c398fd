import type { Table } from './tables.js';

/** Writes a table in GitHub Flavored Markdown. */
export function toMarkdownTable({ head, rows }: Table): string {
  const line = (cells: string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const escapeCell = (cell: string) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ').trim();
