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
  // Word for the web ends each paragraph with a space.
  for (const mark of doc.querySelectorAll('span.EOP')) mark.remove();
  for (const title of doc.querySelectorAll('p.MsoTitle')) rename(title, 'h1');
  for (const quote of doc.querySelectorAll('p.MsoQuote, p.MsoIntenseQuote')) wrapIn(quote, 'blockquote');
  readCodeLines(doc);
  for (const code of doc.querySelectorAll<HTMLElement>(CODE)) readCode(code);
  // `data-pm-slice` marks HTML copied from this editor, whose links and line breaks are all intended.
  if (!html.includes('data-pm-slice')) {
    readNotes(doc);
    removeBlanks(doc);
  }
  for (const line of doc.querySelectorAll('a u')) line.replaceWith(...line.childNodes);
  for (const formula of doc.querySelectorAll('.katex, math')) if (formula.isConnected) readFormula(formula);
  for (const item of doc.querySelectorAll('li[role=checkbox]')) readTask(item);
  const isOfDocs = html.includes('docs-internal-guid');
  readWordLists(doc);
  readWordWebLists(doc);
  for (const element of doc.querySelectorAll<HTMLElement>('[data-style]')) readStyle(element, isOfDocs);
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

/**
 * KaTeX and MathML have a formula several times: for screen readers, for the eye, and as TeX, which is read. Wikipedia has
 * an image beside them.
 */
function readFormula(formula: Element): void {
  const annotation = formula.querySelector('annotation[encoding="application/x-tex"]');
  if (annotation === null) return;
  const tex = annotation.textContent.trim().replace(/^\{\\(?:display|text)style\s+(.*)\}$/s, '$1');
  const whole = formula.closest('.katex-display, .mwe-math-element') ?? formula;
  const isBlock =
    formula.closest('.katex-display, [display="block"]') !== null && formula.closest('td, th') === null;
  const source = writeFormula(tex, isBlock)?.source;
  const element = formula.ownerDocument.createElement(
    source === undefined ? 'code' : isBlock ? 'div' : 'span',
  );
  if (source !== undefined) element.dataset['math'] = source;
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

/** Converts Word's list items to lists: they are paragraphs whose style names the list and the level. */
function readWordLists(doc: Document): void {
  const lists = new NestedLists();
  for (const paragraph of doc.querySelectorAll('p')) {
    const [, name, level] = LIST_STYLE.exec(paragraph.dataset['style'] ?? '') ?? [];
    if (name === undefined) continue;
    const mark = paragraph.querySelector(
      '[data-style*="mso-list:Ignore" i], [data-style*="mso-list: Ignore" i]',
    );
    const number = /^\s*(\d+|[a-z]|[ivx]+)[.)]/i.exec(mark?.textContent ?? '')?.[1];
    mark?.remove();
    const item = doc.createElement('li');
    // A list that goes on after a remark starts at its own number.
    const kind = { tag: number === undefined ? 'ul' : 'ol', start: Number(number) } as const;
    lists.add(item, { name, level: Number(level), ...kind }, paragraph);
    item.append(paragraph);
  }
}

/** Nests the lists of Word for the web, which has a list for each level beside the others. */
function readWordWebLists(doc: Document): void {
  const lists = new NestedLists();
  for (const item of doc.querySelectorAll<HTMLElement>('li[data-aria-level]')) {
    const list = item.parentElement;
    if (list === null) continue;
    const { listid: name = '', ariaLevel, ariaPosinset } = item.dataset;
    const tag = list.tagName === 'OL' ? 'ol' : 'ul';
    const place = list.closest('.ListContainerWrapper') ?? list;
    lists.add(item, { name, level: Number(ariaLevel), tag, start: Number(ariaPosinset) }, place);
    if (place.querySelector('li') === null) place.remove();
  }
}

interface ListItem {
  /** The items of one list have the same name. */
  name: string;
  /** 1 is the outermost level. */
  level: number;
  tag: 'ol' | 'ul';
  /** The number with which a list begins if this is its first item. */
  start: number;
}

/** Makes nested lists of items that follow each other. */
class NestedLists {
  /** The nested lists that contain the last item, outermost first. */
  private open: HTMLElement[] = [];
  private name = '';

  /** @param place where the item stands; a new list is inserted before */
  add(item: HTMLElement, { name, level, tag, start }: ListItem, place: Element): void {
    if (place.previousElementSibling !== this.open[0] || name !== this.name) this.open = [];
    this.name = name;
    const depth = Math.min(level, this.open.length + 1);
    this.open.length = Math.min(this.open.length, depth);
    if (this.open.length < depth) {
      const list = place.ownerDocument.createElement(tag);
      if (tag === 'ol' && start > 1) list.setAttribute('start', String(start));
      const around = this.open.at(-1);
      if (around === undefined) place.before(list);
      else (around.lastElementChild ?? around).append(list);
      this.open.push(list);
    }
    this.open.at(-1)?.append(item);
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
