/** Blocks that can be in a cell; nested tables are converted before. */
export const BLOCKS_OF_CELL =
  'p, li, h1, h2, h3, h4, h5, h6, div, blockquote, ul, ol, hr, pre, section, article, main, dl, dd, dt, figure, figcaption, ' +
  'address, aside, details, summary, header, footer, nav, form, fieldset, center';

/** Replaces an element by one of another name with the same content. */
export function rename(element: Element, tag: string): HTMLElement {
  const renamed = element.ownerDocument.createElement(tag);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
  return renamed;
}

/** Makes a table fit Markdown: one header row, one paragraph per cell, no merged cells. */
export function flattenTable(table: HTMLTableElement): void {
  if (isLayout(table)) {
    table.replaceWith(
      ...[...table.rows].flatMap((row) => [...row.cells].flatMap((cell) => [...cell.childNodes])),
    );
    return;
  }
  if (table.caption !== null) table.before(rename(table.caption, 'p'));
  const rows = [...table.rows];
  /** Number of the following rows in which a merged cell covers each column. */
  const covered: number[] = [];
  const flatRows = rows.map((row, index) => {
    const tag = index === 0 ? 'th' : 'td';
    const flat: Element[] = [];
    const addBlank = () => void flat.push(table.ownerDocument.createElement(tag));
    const addCovered = () => {
      for (let left = covered[flat.length] ?? 0; left > 0; left = covered[flat.length] ?? 0) {
        covered[flat.length] = left - 1;
        addBlank();
      }
    };
    for (const cell of [...row.cells]) {
      addCovered();
      const { colSpan, rowSpan } = cell;
      const start = flat.length;
      fitCell(cell, table);
      flat.push(rename(cell, tag));
      for (let more = 1; more < colSpan; more += 1) addBlank();
      // 0 means all rows that follow.
      for (let column = start; column < flat.length; column += 1)
        covered[column] = rowSpan === 0 ? rows.length : rowSpan - 1;
    }
    // The row can end before a column that a merged cell covers.
    for (let column = flat.length; column < covered.length; column += 1)
      covered[column] = Math.max(0, (covered[column] ?? 0) - 1);
    return flat;
  });
  const width = Math.max(...flatRows.map(({ length }) => length));
  flatRows.forEach((flat, index) => {
    while (flat.length < width) flat.push(table.ownerDocument.createElement(index === 0 ? 'th' : 'td'));
    rows[index]?.replaceChildren(...flat);
  });
}

/** True for the tables of mails and old pages that are around other tables and have one column. */
const isLayout = (table: HTMLTableElement) =>
  table.querySelector('table') !== null && [...table.rows].every(({ cells }) => cells.length < 2);

/** Makes the blocks of a cell lines of one paragraph. */
function fitCell(cell: HTMLTableCellElement, table: HTMLTableElement): void {
  table.after(...cell.querySelectorAll('pre[data-raw]'));
  for (const inner of cell.querySelectorAll('table')) if (inner.isConnected) tableToLines(inner);
  for (const code of cell.querySelectorAll('pre')) codeToLines(code);
  listsToLines(cell);
  for (const block of cell.querySelectorAll(BLOCKS_OF_CELL)) {
    block.before(lineEnd(cell));
    block.after(lineEnd(cell));
    block.replaceWith(...block.childNodes);
  }
  removeLineEnds(cell);
}

/** A line break that is removed where no words are before or after it. */
function lineEnd({ ownerDocument }: Element): Element {
  const lineBreak = ownerDocument.createElement('br');
  lineBreak.dataset['end'] = '';
  return lineBreak;
}

/** Leaves one line end between two lines with words. */
function removeLineEnds(cell: Element): void {
  let hasWords = false;
  let last: Element | null = null;
  for (const node of leavesOf(cell)) {
    if (!(node instanceof Element)) {
      if (node.textContent?.trim()) hasWords = true;
      // White space of the source between two blocks.
      else if (isLineEnd(node.previousSibling) || isLineEnd(node.nextSibling))
        node.parentNode?.removeChild(node);
    } else if (node.localName !== 'br') hasWords = true;
    else if (!hasWords && isLineEnd(node)) node.remove();
    else {
      last = node;
      hasWords = false;
    }
  }
  if (!hasWords && isLineEnd(last)) last?.remove();
}

const isLineEnd = (node: Node | null) => node instanceof Element && node.matches('br[data-end]');

/** The texts, line breaks and pictures of an element. */
function leavesOf(element: Element): Node[] {
  const leaves: Node[] = [];
  const walker = element.ownerDocument.createTreeWalker(element);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!(node instanceof Element) || node.matches('br, img, input')) leaves.push(node);
  }
  return leaves;
}

/** Converts a table in a cell to a line for each row. */
function tableToLines(table: HTMLTableElement): void {
  const { ownerDocument } = table;
  const lines = [...table.rows].map((row): HTMLElement => {
    const line = ownerDocument.createElement('p');
    for (const cell of [...row.cells]) {
      fitCell(cell, table);
      if (line.hasChildNodes() && cell.hasChildNodes()) line.append(', ');
      line.append(...cell.childNodes);
    }
    return line;
  });
  if (table.caption !== null) lines.unshift(rename(table.caption, 'p'));
  table.replaceWith(...lines);
}

/** Converts a code block in a cell to lines of code. */
function codeToLines(block: Element): void {
  const lines = block.textContent.split('\n').map((text) => {
    const line = block.ownerDocument.createElement('p');
    const code = block.ownerDocument.createElement('code');
    // Markdown and HTML have no indentation within a line.
    code.textContent = text
      .replaceAll('\t', '    ')
      .replace(/^ | {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length));
    line.append(...(text.trim() === '' ? [] : [code]));
    return line;
  });
  block.replaceWith(...lines);
}

/** Converts the lists in a cell to paragraphs that begin with their bullet or number. */
function listsToLines(cell: HTMLTableCellElement): void {
  for (const paragraph of cell.querySelectorAll('li > p:first-child'))
    paragraph.replaceWith(...paragraph.childNodes);
  for (const list of cell.querySelectorAll('ul, ol')) {
    const start = list instanceof HTMLOListElement ? list.start : null;
    [...list.querySelectorAll(':scope > li')].forEach((item, index) => {
      const isTask = /^\s*[☐☑]/.test(item.textContent);
      if (start !== null) item.prepend(`${start + index}. `);
      else if (!isTask) item.prepend('• ');
      rename(item, 'p');
    });
  }
}
