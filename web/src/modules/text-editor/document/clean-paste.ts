import { DOMParser as DocumentReader } from 'prosemirror-model';
import { writeFormula } from './formula';
import { readMathml } from './read-mathml';
import { schema } from './schema';
import { writeBlock } from './write-markdown';

/** Converts pasted HTML, such as from Word or Google Docs, to plain HTML that the schema can parse. */
export function cleanPaste(html: string): string {
  const inert = html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<!\[(if|endif)[^>]*>/gi, '')
    .replace(/<style[\s\S]*?<\/style>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='));
  const doc = new DOMParser().parseFromString(inert, 'text/html');
  for (const element of doc.querySelectorAll('meta, link, script, title, xml, .mw-editsection'))
    element.remove();
  // Word breaks lines within styles.
  for (const element of doc.querySelectorAll<HTMLElement>('[data-style]'))
    element.dataset['style'] = element.dataset['style']?.replace(/\s+/g, ' ');
  for (const element of doc.querySelectorAll('o\\:p')) element.replaceWith(...element.childNodes);
  // Word for the web ends each paragraph with a space.
  for (const mark of doc.querySelectorAll('span.EOP')) mark.remove();
  for (const title of doc.querySelectorAll('p.MsoTitle')) rename(title, 'h1');
  for (const quote of doc.querySelectorAll('p.MsoQuote, p.MsoIntenseQuote')) wrapIn(quote, 'blockquote');
  readCodeLines(doc);
  for (const code of doc.querySelectorAll('code')) readCodeElement(code);
  for (const code of doc.querySelectorAll<HTMLElement>(CODE)) readCode(code);
  // `data-pm-slice` marks HTML copied from this editor, whose links and line breaks are all intended.
  if (!html.includes('data-pm-slice')) {
    readNotes(doc);
    removeBlanks(doc);
  }
  for (const line of doc.querySelectorAll('a u')) line.replaceWith(...line.childNodes);
  for (const formula of doc.querySelectorAll(FORMULA)) if (formula.isConnected) readFormula(formula);
  const isOfDocs = html.includes('docs-internal-guid');
  readWordLists(doc);
  readWordWebLists(doc);
  for (const element of doc.querySelectorAll<HTMLElement>('[data-style]')) readStyle(element, isOfDocs);
  for (const item of doc.querySelectorAll('li[role=checkbox]')) readTask(item);
  for (const list of doc.querySelectorAll('ul')) nestList(list);
  for (const list of doc.querySelectorAll('ol')) splitAtNumbers(list);
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
      const blocks = DocumentReader.fromSchema(schema).parse(paragraph).children;
      const text = blocks.map((block) => writeBlock(block)).join(' ');
      paragraph.replaceWith(raw('pre', `[^${note}]: ${text.replace(/(\s|\\\n)+/g, ' ').trim()}`));
    }
  }
}

const BLOCKS_OF_CELL =
  'p, li, h1, h2, h3, h4, h5, h6, div, blockquote, ul, ol, hr, pre, section, article, main, dl, dd, dt, figure, figcaption, ' +
  'address, aside, details, summary, header, footer, nav, form, fieldset, center';
const BLOCKS = `${BLOCKS_OF_CELL}, td, th, table, body`;

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
  const [only, another] = element.querySelectorAll('code');
  const code = only && !another ? only : element;
  for (const lineBreak of code.querySelectorAll('br')) lineBreak.replaceWith('\n');
  for (const line of code.querySelectorAll('div + div, p + p'))
    if (!line.previousElementSibling?.textContent.endsWith('\n')) line.before('\n');
  const text = code.textContent.replace(/\n$/, '');
  const label = labelOf(element);
  const lang = /\blanguage-([\w+#-]+)/.exec(code.className)?.[1] ?? label?.language;
  label?.bar.remove();
  const block = element.tagName === 'DIV' ? rename(element, 'pre') : element;
  block.textContent = text;
  if (lang !== undefined) block.dataset['lang'] = lang;
}

/** Makes a block of a code element that has several lines and is alone in its block. */
function readCodeElement(code: HTMLElement): void {
  const isAlone = !hasWords(code, 'previousSibling') && !hasWords(code, 'nextSibling');
  if (!isAlone || code.querySelector('br') === null) return;
  if (code.closest('pre, td, th, h1, h2, h3, h4, h5, h6') !== null) return;
  const whole = code.closest('p') ?? code;
  const block = code.ownerDocument.createElement('pre');
  whole.replaceWith(block);
  block.append(code);
}

/** The bar above the code of a chat page, which has the language and buttons; null if there is none. */
function labelOf(code: HTMLElement): { bar: Element; language: string } | null {
  for (let child: HTMLElement = code, up = 0; up < 3; up += 1) {
    const bar = child.previousElementSibling;
    const language = bar?.matches('div, span, header') ? ownWords(bar).toLowerCase() : '';
    if (bar && isOnlyAbove(bar) && LANGUAGES.has(language)) return { bar, language };
    if (bar || child.parentElement === null || !/^(DIV|CODE-BLOCK)$/.test(child.parentElement.tagName))
      return null;
    child = child.parentElement;
  }
  return null;
}

/** False in a text, where a word above code can be a word of the text. */
const isOnlyAbove = ({ parentElement }: Element) =>
  parentElement?.childElementCount === 2 && parentElement.tagName !== 'BODY';

/** The words of an element without its buttons. */
function ownWords(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const button of copy.querySelectorAll('button, svg')) button.remove();
  return copy.textContent.trim();
}

/** Names of languages that chat pages write above code. */
const LANGUAGES = new Set(
  (
    'bash c c# c++ clojure cpp csharp css csv dart diff docker dockerfile elixir erlang go graphql haskell html http ini ' +
    'java javascript json jsx julia kotlin latex less lua makefile markdown mermaid nginx objective-c ocaml perl php ' +
    'plaintext powershell prisma protobuf python r ruby rust sass scala scss shell sh solidity sql svelte swift terraform ' +
    'text toml ts tsx typescript vb vue xml yaml yml zig zsh'
  ).split(' '),
);

/** Joins lines of code that are paragraphs in a font of fixed width, as in Google Docs, or one `pre` each, as in Word. */
function readCodeLines(doc: Document): void {
  for (const table of doc.querySelectorAll('table')) {
    const [cell, another] = table.querySelectorAll('td, th');
    // Google Docs shows code in a table of one cell.
    if (cell && !another && [...cell.children].every(isCodeLine) && cell.children.length > 0)
      table.replaceWith(...cell.childNodes);
  }
  for (const first of doc.querySelectorAll('p, pre')) {
    if (!first.isConnected || !isCodeLine(first)) continue;
    const lines = [first];
    for (let next = first.nextElementSibling; next && isCodeLine(next); next = next.nextElementSibling)
      if (next.tagName === first.tagName) lines.push(next);
      else break;
    if (lines.length < 2) continue;
    const block = doc.createElement('pre');
    block.textContent = lines.map(codeOf).join('\n').replaceAll('\u00a0', ' ');
    first.replaceWith(block);
    for (const line of lines) line.remove();
  }
}

/** White space of the source between two elements is no code, but that of a `pre` is. */
const codeOf = (line: Element): string => {
  for (const lineBreak of line.querySelectorAll('br')) lineBreak.replaceWith('\n');
  return line.tagName === 'PRE' ? line.textContent.replace(/\n$/, '') : line.textContent;
};

/** True if all words of a paragraph have a font of fixed width, and of a `pre` of Word, which has no code element. */
function isCodeLine(element: Element): boolean {
  if (element.tagName === 'PRE')
    return (
      element.querySelector('code') === null &&
      !element.textContent.trim().includes('\n') &&
      isOfWord(element)
    );
  if (element.tagName !== 'P' || element.textContent.trim() === '') return false;
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode;
    const styled = parentElement?.closest<HTMLElement>('[data-style*="font-family" i]');
    const isMonospace = styled && element.contains(styled) && MONOSPACE.test(styled.dataset['style'] ?? '');
    if (textContent?.trim() && !isMonospace) return false;
  }
  return true;
}

const isOfWord = ({ ownerDocument }: Element) =>
  ownerDocument.querySelector('[class^="Mso"], [data-style*="mso-"]') !== null;

const FORMULA = '.katex, math, img[src*="/media/math/render/"][alt]';

/**
 * KaTeX, MathJax and MathML have a formula several times: for screen readers, for the eye, and often as TeX, which is read.
 * Wikipedia has an image beside them, or alone, as browsers do not copy what is hidden.
 */
function readFormula(formula: Element): void {
  const math = formula.localName === 'math' ? formula : formula.querySelector('math');
  const annotation = formula.querySelector('annotation[encoding="application/x-tex"]');
  const source = annotation?.textContent ?? formula.getAttribute('alt') ?? (math && readMathml(math));
  if (!source?.trim()) return;
  const tex = source.trim().replace(/^\{\\(?:display|text)style\s+(.*)\}$/s, '$1');
  const whole =
    formula.closest('.katex-display, .mwe-math-element, mjx-container, .MathJax_Display, .MathJax') ??
    formula;
  const isBlock =
    formula.closest('.katex-display, .MathJax_Display, [display="block"], [display="true"]') !== null &&
    formula.closest('td, th, h1, h2, h3, h4, h5, h6') === null;
  const markdown = writeFormula(tex, isBlock)?.source;
  const element = formula.ownerDocument.createElement(
    markdown === undefined ? 'code' : isBlock ? 'div' : 'span',
  );
  if (markdown !== undefined) element.dataset['math'] = markdown;
  element.textContent = tex;
  whole.replaceWith(element);
}

/** Converts an item of a Google Docs checklist to a list item with a checkbox. */
function readTask(item: Element): void {
  const box = item.ownerDocument.createElement('input');
  box.type = 'checkbox';
  box.toggleAttribute('checked', item.getAttribute('aria-checked') === 'true');
  item.prepend(box);
}

/** Converts the styles of marks, such as bold and superscript, to elements, which the schema can parse. */
function readStyle(element: HTMLElement, isOfDocs: boolean): void {
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
  if (isHighlighted(style, isOfDocs)) wrap('mark');
  // Links are underlined everywhere.
  if (/text-decoration[^;]*underline/i.test(style) && element.closest('a') === null) wrap('u');
  if (MONOSPACE.test(style)) wrap('code');
}

/** Yellow is a highlight on all pages, other colours only in Google Docs. */
function isHighlighted(style: string, isOfDocs: boolean): boolean {
  if (/mso-highlight:|background(-color)?:\s*(yellow|#ffff00|rgb\(255, 255, 0\))/i.test(style)) return true;
  const [, color] = /background-color:\s*(#\w+|rgb[^;]*|\w+)/i.exec(style) ?? [];
  return (
    isOfDocs && color !== undefined && !/^(transparent|#ffffff|white|rgb\(255, 255, 255\))$/i.test(color)
  );
}

const MONOSPACE = /font-family:[^;]*(courier|consolas|menlo|monaco|mono\b|monospace)/i;

const LIST_STYLE = /mso-list:\s*(\w+)\s+level(\d+)/i;

const LIST_MARK = '[data-style*="mso-list:Ignore" i], [data-style*="mso-list: Ignore" i]';

/** Converts Word's list items to lists: they are paragraphs whose style names the list and the level. */
function readWordLists(doc: Document): void {
  for (const mark of doc.querySelectorAll('h1, h2, h3, h4, h5, h6')) labelWithMark(mark);
  const lists = new NestedLists();
  for (const paragraph of doc.querySelectorAll('p')) {
    const [, name, level] = LIST_STYLE.exec(paragraph.dataset['style'] ?? '') ?? [];
    if (name === undefined) continue;
    const mark = paragraph.querySelector(LIST_MARK);
    const numbers = numbersOf(mark?.textContent ?? '');
    if (numbers.length > 0) mark?.remove();
    else labelWithMark(paragraph);
    const item = doc.createElement('li');
    lists.add(item, { name, level: Number(level), numbers }, paragraph);
    item.append(paragraph);
  }
}

/** Keeps a mark that has words, such as "Article 1.", as text. Another one is a bullet, which is removed. */
function labelWithMark(element: Element): void {
  for (const mark of element.querySelectorAll(LIST_MARK)) {
    const text = mark.textContent.trim();
    // A single character is a bullet: "o", or a letter in a font of symbols.
    if (/[\p{L}\p{N}]/u.test(text) && text.length > 1) mark.textContent = `${text} `;
    else mark.remove();
  }
}

/** The numbers that the mark of an item can mean, the likeliest first: "i." is 1 or 9. Empty for a bullet. */
function numbersOf(mark: string): number[] {
  const [, number, letters] = /^\(?(?:\d+\.)*(?:(\d+)[.)]*|([a-z]+)[.)]+)$/i.exec(mark.trim()) ?? [];
  if (number !== undefined) return [Number(number)];
  const word = letters?.toLowerCase() ?? '';
  const roman = romanNumber(word);
  // After z come aa, bb and so on.
  const letter = /^([a-z])\1*$/.test(word) ? word.charCodeAt(0) - 96 + 26 * (word.length - 1) : undefined;
  const isLikelyRoman = word.length > 1 || /[ivx]/.test(word);
  return (isLikelyRoman ? [roman, letter] : [letter, roman]).filter((value) => value !== undefined);
}

const ROMAN = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function romanNumber(word: string): number | undefined {
  if (!/^c{0,3}(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})$/.test(word) || word === '') return undefined;
  const values = [...word].map((letter) => ROMAN[letter as keyof typeof ROMAN]);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}

/** Nests the lists of Word for the web, which has a list for each level beside the others. */
function readWordWebLists(doc: Document): void {
  const lists = new NestedLists();
  for (const item of doc.querySelectorAll<HTMLElement>('li[data-aria-level]')) {
    const list = item.parentElement;
    if (list === null) continue;
    const { listid: name = '', ariaLevel, ariaPosinset } = item.dataset;
    const numbers = list.tagName === 'OL' ? [Number(ariaPosinset)] : [];
    const place = list.closest('.ListContainerWrapper') ?? list;
    lists.add(item, { name, level: Number(ariaLevel), numbers }, place);
    if (place.querySelector('li') === null) place.remove();
  }
}

interface ListItem {
  /** The items of one list have the same name. */
  name: string;
  /** 1 is the outermost level. */
  level: number;
  /** The numbers that the item can have, the likeliest first; empty for a bullet. */
  numbers: readonly number[];
}

interface OpenList {
  element: HTMLElement;
  name: string;
  level: number;
  /** Number of the next item. */
  next: number;
}

/** Makes nested lists of items that follow each other. */
class NestedLists {
  /** The nested lists that contain the last item, outermost first. */
  private open: OpenList[] = [];

  /** @param place where the item stands; a new list is inserted before */
  add(item: HTMLElement, { name, level, numbers }: ListItem, place: Element): void {
    if (place.previousElementSibling !== this.open[0]?.element) this.open = [];
    this.open = this.open.filter((list) => list.level <= level);
    const tag = numbers.length > 0 ? 'ol' : 'ul';
    const last = this.open.at(-1);
    let list = last?.level === level ? this.open.pop() : undefined;
    const continues =
      list?.name === name && list.element.localName === tag && (tag === 'ul' || numbers.includes(list.next));
    if (list === undefined || !continues) {
      const around = this.open.at(-1)?.element;
      const [start = 1] = numbers;
      list = { element: place.ownerDocument.createElement(tag), name, level, next: start };
      // A list that goes on after a remark starts at its own number.
      if (start > 1) list.element.setAttribute('start', String(start));
      if (around === undefined) place.before(list.element);
      else (around.lastElementChild ?? around).append(list.element);
    }
    list.element.append(item);
    list.next += 1;
    this.open.push(list);
  }
}

/** Moves the list of an item without text to the item before, and replaces a list that has only a list. */
function nestList(list: HTMLUListElement): void {
  for (const item of list.querySelectorAll(':scope > li')) {
    const [inner, another] = item.children;
    if (!inner?.matches('ul, ol') || another || item.textContent !== inner.textContent) continue;
    const before = item.previousElementSibling;
    if (before?.tagName !== 'LI') continue;
    before.append(inner);
    item.remove();
  }
  const [inner, another] = list.children;
  if (inner?.tagName === 'UL' && !another) list.replaceWith(inner);
}

/** Starts a new list where an item has another number than the one after the item before. */
function splitAtNumbers(list: HTMLOListElement): void {
  let part = list;
  let next = list.start;
  for (const [index, child] of [...list.children].entries()) {
    const isItem = child instanceof HTMLLIElement;
    if (isItem && child.hasAttribute('value') && child.value !== next && child.value >= 0) {
      next = child.value;
      if (index > 0) {
        const rest = list.ownerDocument.createElement('ol');
        part.after(rest);
        part = rest;
      }
      part.start = next;
    }
    if (part !== list) part.append(child);
    if (isItem) next += 1;
  }
}

/** Makes a table fit Markdown: one header row, one paragraph per cell, no merged cells. */
function flattenTable(table: HTMLTableElement): void {
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
  for (const note of cell.querySelectorAll('pre[data-raw]')) table.after(note);
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
    code.textContent = text;
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
      item.prepend(start === null ? '• ' : `${start + index}. `);
      rename(item, 'p');
    });
  }
}
