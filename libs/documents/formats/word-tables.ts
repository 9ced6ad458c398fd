import type { Cell } from './table-kind.js';
import { childOf, elementsOf, isOn, valueOf, type XmlElement } from './xml-tree.js';

const MAX_COLUMNS = 100;

/**
 * The cells of a table. A cell over several columns is followed by empty cells; one over several rows is repeated, since it
 * holds for each of them.
 */
export function readRows(table: XmlElement, readCell: (cell: XmlElement) => Cell): Cell[][] {
  const rows: Cell[][] = [];
  for (const row of contents(table, 'w:tr')) {
    const properties = childOf(row, 'w:trPr');
    if (childOf(properties, 'w:del') || isOn(childOf(properties, 'w:hidden'))) continue;
    const cells: Cell[] = Array.from({ length: columns(valueOf(properties, 'w:gridBefore'), 0) }, () => []);
    for (const cell of contents(row, 'w:tc')) {
      const cellProperties = childOf(cell, 'w:tcPr');
      const merge = childOf(cellProperties, 'w:vMerge');
      const continuesAbove = merge !== undefined && merge.attributes.val !== 'restart';
      cells.push(continuesAbove ? (rows.at(-1)?.[cells.length] ?? []) : readCell(cell));
      for (let more = columns(valueOf(cellProperties, 'w:gridSpan'), 1); more > 1; more -= 1) cells.push([]);
    }
    rows.push(cells.slice(0, MAX_COLUMNS));
  }
  return rows;
}

const columns = (value: string | undefined, otherwise: number) =>
  Math.min(Number(value ?? otherwise) || otherwise, MAX_COLUMNS);

/** The rows of a table or the cells of a row, also those within content controls. */
const contents = (parent: XmlElement, name: string): XmlElement[] =>
  elementsOf(parent).flatMap((child) =>
    child.name === name
      ? [child]
      : /^w:(?:sdt|sdtContent|customXml|ins)$/.test(child.name)
        ? contents(child, name)
        : [],
  );
