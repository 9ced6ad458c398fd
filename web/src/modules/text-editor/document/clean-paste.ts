import { writeFormula } from './formula';

/** Converts pasted HTML, such as from Word or Google Docs, to plain HTML that the schema can parse. */
export function cleanPaste(html: string): string {
  const inert = html
    .replace(/<!\[(if|endif)[^>]*>/gi, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<style[\s\S]*?<\/style>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='));
  const doc = new DOMParser().parseFromString(inert, 'text/html');
  for (const element of doc.querySelectorAll('meta, link, script, title, xml')) element.remove();
  for (const element of doc.querySelectorAll('o\\:p')) element.replaceWith(...element.childNodes);
  for (const title of doc.querySelectorAll('p.MsoTitle')) rename(title, 'h1');
  for (const quote of doc.querySelectorAll('p.MsoQuote, p.MsoIntenseQuote')) wrapIn(quote, 'blockquote');
  for (const code of doc.querySelectorAll<HTMLElement>(CODE)) readCode(code);
  // `data-pm-slice` marks HTML copied from this editor, whose links and line breaks are all intended.
  if (!html.includes('data-pm-slice')) {
    readNotes(doc);
    removeBlanks(doc);
  }
  for (const line of doc.querySelectorAll('a u')) line.replaceWith(...line.childNodes);
  for (const formula of doc.querySelectorAll('.katex, math')) readFormula(formula);
  for (const item of doc.querySelectorAll('li[role=checkbox]')) readTask(item);
  readWordLists(doc);
  for (const element of doc.querySelectorAll<HTMLElement>('[data-style]')) readStyle(element);
  for (const table of doc.querySelectorAll('table')) flattenTable(table);
  return doc.body.innerHTML;
}

function rename(element: Element, tag: string): HTMLElement {
  const renamed = element.ownerDocument.createElement(tag);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
  return renamed;
}

function wrapIn(element: Element, tag: string): void {
  const around = element.ownerDocument.createElement(tag);
  element.replaceWith(around);
  around.append(element);
}

/** Converts footnotes to Markdown and unwraps other links whose target is within the source document. */
function readNotes(doc: Document): void {
  for (const line of doc.querySelectorAll('[data-style*="mso-element:footnote-list"] hr')) line.remove();
  const raw = (tag: string, text: string) => {
    const element = doc.createElement(tag);
    element.dataset['raw'] = '';
    element.textContent = text;
    return element;
  };
  for (const link of doc.querySelectorAll('a[href^="#"]')) {
    const href = link.getAttribute('href') ?? '';
    const [, mark] = /^#_?ftnt?(\d+)$/i.exec(href) ?? [];
    const [, note] = /^#_?ftnt?_?ref(\d+)$/i.exec(href) ?? [];
    const paragraph = link.closest('p, div');
    if (mark !== undefined) (link.closest('sup') ?? link).replaceWith(raw('span', `[^${mark}]`));
    else if (note === undefined || paragraph === null) link.replaceWith(...link.childNodes);
    else {
      link.remove();
      const text = paragraph.textContent.replace(/\s+/g, ' ').trim();
      paragraph.replaceWith(raw('pre', `[^${note}]: ${text}`));
    }
  }
}

const BLOCKS = 'p, li, h1, h2, h3, h4, h5, h6, td, th, div, blockquote, ul, ol, table, hr, pre, body';

/** Removes empty paragraphs, and line breaks that don't stand between two texts. */
function removeBlanks(doc: Document): void {
  // Other images are local files or have no address, so they cannot be shown.
  for (const image of doc.querySelectorAll('img:not([src^="http" i], [src^="/"])')) image.remove();
  for (const lineBreak of doc.querySelectorAll('br')) {
    if (lineBreak.closest('pre') !== null) continue;
    if (!hasWords(lineBreak, 'previousSibling') || !hasWords(lineBreak, 'nextSibling')) lineBreak.remove();
  }
  for (const paragraph of doc.querySelectorAll('p, h1, h2, h3, h4, h5, h6'))
    if (paragraph.textContent.trim() === '' && paragraph.querySelector('img, input') === null)
      paragraph.remove();
}

/** True if the node's block has text or an image before (or after) the node. */
function hasWords(node: Node, side: 'previousSibling' | 'nextSibling'): boolean {
  for (let sibling = node[side]; sibling !== null; sibling = sibling[side]) {
    if (sibling instanceof Element && sibling.matches(BLOCKS)) return false;
    if (sibling instanceof Element && (sibling.matches('img, input') || sibling.querySelector('img, input')))
      return true;
    if (sibling.textContent?.trim()) return true;
  }
  const parent = node.parentElement;
  return parent !== null && !parent.matches(BLOCKS) && hasWords(parent, side);
}

const CODE = 'pre:not([data-raw]), div[data-style*="white-space: pre"]';

/** Reads code of web pages, without the buttons beside it, and of VS Code, which has an element for each line. */
function readCode(element: HTMLElement): void {
  if (element.tagName === 'DIV' && !MONOSPACE.test(element.dataset['style'] ?? '')) return;
  const code = element.querySelector('code') ?? element;
  for (const lineBreak of code.querySelectorAll('br')) lineBreak.replaceWith('\n');
  if (element.tagName === 'DIV') for (const line of code.querySelectorAll('div + div')) line.before('\n');
  const text = code.textContent.replace(/\n$/, '');
  const lang = /\blanguage-([\w+#-]+)/.exec(code.className)?.[1];
  const block = element.tagName === 'DIV' ? rename(element, 'pre') : element;
  block.textContent = text;
  if (lang !== undefined) block.dataset['lang'] = lang;
}

/** KaTeX and MathML have a formula several times: for screen readers, for the eye, and as TeX, which is read. */
function readFormula(formula: Element): void {
  const tex = formula.querySelector('annotation[encoding="application/x-tex"]');
  if (tex === null) return;
  const source = writeFormula(tex.textContent, false)?.source;
  const inline = formula.ownerDocument.createElement(source === undefined ? 'code' : 'span');
  if (source !== undefined) inline.dataset['math'] = source;
  inline.textContent = tex.textContent.trim();
  formula.replaceWith(inline);
}

/** Converts an item of a Google Docs checklist to a list item with a checkbox. */
function readTask(item: Element): void {
  const box = item.ownerDocument.createElement('input');
  box.type = 'checkbox';
  box.toggleAttribute('checked', item.getAttribute('aria-checked') === 'true');
  item.prepend(box);
}

/** Converts the styles of marks, such as bold and superscript, to elements, which the schema can parse. */
function readStyle(element: HTMLElement): void {
  const style = element.dataset['style'] ?? '';
  delete element.dataset['style'];
  // Google Docs wraps everything in a `<b style="font-weight: normal">`, which is not bold.
  if (/^(b|strong)$/i.test(element.tagName) && /(?<!-)font-weight:\s*(normal|400)/i.test(style)) {
    element.replaceWith(...element.childNodes);
    return;
  }
  if (!/^(span|p|a|li)$/i.test(element.tagName)) return;
  const isInHeading = element.closest('h1, h2, h3, h4, h5, h6') !== null;
  const wrap = (tag: string) => {
    const wrapper = element.ownerDocument.createElement(tag);
    wrapper.append(...element.childNodes);
    element.append(wrapper);
  };
  if (!isInHeading && /font-weight:\s*(bold|[6-9]00)/i.test(style)) wrap('strong');
  if (/font-style:\s*italic/i.test(style)) wrap('em');
  if (/text-decoration[^;]*line-through/i.test(style)) wrap('s');
  if (/vertical-align:\s*super/i.test(style)) wrap('sup');
  if (/vertical-align:\s*sub/i.test(style)) wrap('sub');
  if (/mso-highlight:|background(-color)?:\s*(yellow|#ffff00|rgb\(255, 255, 0\))/i.test(style)) wrap('mark');
  // Links are underlined everywhere.
  if (/text-decoration[^;]*underline/i.test(style) && element.closest('a') === null) wrap('u');
  if (MONOSPACE.test(style)) wrap('code');
}

const MONOSPACE = /font-family:[^;]*(courier|consolas|menlo|monaco|mono\b|monospace)/i;

const LIST_STYLE = /mso-list:\s*(\w+)\s+level(\d+)/i;

/** Converts Word's list items to lists: they are paragraphs whose style names the list and the level. */
function readWordLists(doc: Document): void {
  /** The nested lists that contain the current item, outermost first. */
  let open: HTMLElement[] = [];
  let listName = '';
  for (const paragraph of doc.querySelectorAll('p')) {
    const [, name, levelText] = LIST_STYLE.exec(paragraph.dataset['style'] ?? '') ?? [];
    if (name === undefined) continue;
    if (paragraph.previousElementSibling !== open[0] || name !== listName) open = [];
    listName = name;
    const level = Math.min(Number(levelText), open.length + 1);
    const mark = paragraph.querySelector(
      '[data-style*="mso-list:Ignore" i], [data-style*="mso-list: Ignore" i]',
    );
    const number = /^\s*(\d+|[a-z]|[ivx]+)[.)]/i.exec(mark?.textContent ?? '')?.[1];
    mark?.remove();
    open.length = Math.min(open.length, level);
    if (open.length < level) {
      const list = doc.createElement(number === undefined ? 'ul' : 'ol');
      // A list that goes on after a remark starts at its own number.
      if (Number(number) > 1) list.setAttribute('start', String(Number(number)));
      const around = open.at(-1);
      if (around === undefined) paragraph.before(list);
      else (around.lastElementChild ?? around).append(list);
      open.push(list);
    }
    const item = doc.createElement('li');
    open.at(-1)?.append(item);
    item.append(paragraph);
  }
}

/** Makes a table fit Markdown: one header row, one paragraph per cell, no merged cells. */
function flattenTable(table: HTMLTableElement): void {
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
      listsToLines(cell);
      joinParagraphs(cell);
      flat.push(rename(cell, tag));
      for (let more = 1; more < colSpan; more += 1) addBlank();
      // 0 means all rows that follow.
      covered.fill(0, start);
      for (let column = start; column < flat.length; column += 1)
        covered[column] = rowSpan === 0 ? rows.length : rowSpan - 1;
    }
    addCovered();
    return flat;
  });
  const width = Math.max(...flatRows.map(({ length }) => length));
  flatRows.forEach((flat, index) => {
    while (flat.length < width) flat.push(table.ownerDocument.createElement(index === 0 ? 'th' : 'td'));
    rows[index]?.replaceChildren(...flat);
  });
}

/** Converts the lists in a cell, which Markdown cannot have, to lines that begin with their bullet or number. */
function listsToLines(cell: HTMLTableCellElement): void {
  for (const paragraph of cell.querySelectorAll('li > p')) paragraph.replaceWith(...paragraph.childNodes);
  for (const list of cell.querySelectorAll('ul, ol')) {
    const start = list instanceof HTMLOListElement ? list.start : null;
    [...list.children].forEach((item, index) => {
      item.prepend(start === null ? '• ' : `${start + index}. `);
      rename(item, 'p');
    });
  }
  for (const list of cell.querySelectorAll('ul, ol')) list.replaceWith(...list.childNodes);
}

function joinParagraphs(cell: HTMLTableCellElement): void {
  [...cell.querySelectorAll('p')].forEach((paragraph, index) => {
    if (index > 0) paragraph.before(cell.ownerDocument.createElement('br'));
    paragraph.replaceWith(...paragraph.childNodes);
  });
}
