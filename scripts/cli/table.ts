import { escapeControls } from '#libs/observability/control-characters.js';

type Cell = string | number | null;

/** A table with aligned columns; an empty cell is a dash. */
export function table(headings: string[], rows: Cell[][]): string {
  const lines = [
    headings,
    ...rows.map((row) =>
      row.map((cell) => (cell === null || cell === '' ? '-' : escapeControls(String(cell)))),
    ),
  ];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => width(line[column] ?? ''))));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => pad(cell, widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** Names and values, one pair a line. */
export const list = (entries: Record<string, Cell>): string =>
  table(['', ''], Object.entries(entries)).split('\n').slice(1).join('\n');

/** Visible characters: an emoji counts once. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const width = (text: string) => [...graphemes.segment(text)].length;
const pad = (text: string, columns: number) => text + ' '.repeat(Math.max(0, columns - width(text)));
