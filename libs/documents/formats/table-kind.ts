import type { Block } from './blocks.js';

/** The contents of a table's cell. */
export type Cell = Block[];

const MAX_CELL_CHARACTERS = 400;
const MAX_CELL_BLOCKS = 3;

/** True for a table of values, false for one that places texts side by side on the page. */
export function isDataTable(rows: readonly Cell[][]): boolean {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (rows.length < 2 || width < 2) return false;
  return rows.flat().every((cell) => {
    const blocks = cell.filter((block) => textOfBlock(block) !== '');
    const length = blocks.reduce((sum, block) => sum + textOfBlock(block).length, 0);
    const isSimple = blocks.every(({ kind }) => kind !== 'table' && (kind !== 'item' || width > 2));
    return isSimple && blocks.length <= MAX_CELL_BLOCKS && length <= MAX_CELL_CHARACTERS;
  });
}

/** A table of values as one block, or the contents of its cells in order. */
export function tableBlocks(rows: readonly Cell[][]): Block[] {
  if (isDataTable(rows))
    return [{ kind: 'table', rows: rows.map((row) => row.map((cell) => cell.map(textOfBlock).join(' '))) }];
  // A cell over several rows is in each of them.
  return [...new Set(rows.flat())].flat();
}

export const textOfBlock = (block: Block): string =>
  block.kind === 'pageBreak' ? '' : block.kind === 'table' ? block.rows.flat().join(' ') : block.text.trim();
