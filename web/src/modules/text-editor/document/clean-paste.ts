import { DOMParser as DocumentReader } from 'prosemirror-model';
import { BLOCKS_OF_CELL, flattenTable, rename } from './flatten-table';
import { formulaOf, writeFormula } from './formula';
import { readMathml } from './read-mathml';
import { readOmml } from './read-omml';
import { schema } from './schema';
import { writeBlock } from './write-markdown';

/** Converts pasted HTML, such as from Word or Google Docs, to plain HTML that the schema can parse. */
export function cleanPaste(html: string): string {
  const inert = readConditions(html)
    .replace(/<style[\s\S]*?<\/style>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='));
  const doc = new DOMParser().parseFromString(inert, 'text/html');
  for (const element of doc.querySelectorAll('meta, link, script, title, xml, .mw-editsection'))
    element.remove();
  // Word breaks lines within styles.
  for (const element of doc.querySelectorAll<HTMLElement>('[data-style]'))
    element.dataset['style'] = element.dataset['style']?.replace(/\s+/g, ' ');
  for (const element of doc.querySelectorAll('o\\:p')) element.replaceWith(...element.childNodes);
  readWordFormulas(doc);
  // Word for the web ends each paragraph with a space.
  for (const mark of doc.querySelectorAll('span.EOP')) mark.remove();
  for (const title of doc.querySelectorAll('p.MsoTitle')) rename(title, 'h1');
  for (const quote of doc.querySelectorAll('p.MsoQuote, p.MsoIntenseQuote')) wrapIn(quote, 'blockquote');
  for (const line of doc.querySelectorAll<HTMLElement>(BLOCK_LINES)) breakAround(line);
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
  readWordLists(doc);
  readWordWebLists(doc);
  for (const element of doc.querySelectorAll<HTMLElement>('[data-style]')) readStyle(element);
  for (const item of doc.querySelectorAll('li[role=checkbox]')) readTask(item);
  for (const list of doc.querySelectorAll('ul')) nestList(list);
  for (const list of doc.querySelectorAll('ol')) splitAtNumbers(list);
  for (const table of doc.querySelectorAll('table')) flattenTable(table);
  return doc.body.innerHTML;
}

/**
 * Removes comments and conditions, which Word puts into HTML, but keeps equations. Beside each is a picture of it, which becomes
 * an element with `data-word-picture`.
 */
function readConditions(html: string): string {
  const open: boolean[] = [];
  return html
    .replace(/<!--\[if gte msEquation[^\]]*\]>([\s\S]*?)<!\[endif\]-->/gi, (_, equation: string) =>
      // HTML has no end of an unknown element in its start tag.
      equation.replace(/<(m:\w+)([^<>]*)\/>/gi, '<$1$2></$1>'),
    )
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<!\[(if|endif)[^>]*>/gi, (condition, kind: string) => {
      if (kind.toLowerCase() === 'endif') return open.pop() ? '</span>' : '';
      const isPicture = /!msEquation/i.test(condition);
      open.push(isPicture);
      return isPicture ? '<span data-word-picture>' : '';
    });
}

/** Converts equations of Word to formulas. One without content becomes the alternative text of its picture. */
function readWordFormulas(doc: Document): void {
  for (const picture of doc.querySelectorAll('[data-word-picture]')) {
    const before = picture.previousElementSibling;
    const equation = before?.matches(WORD_FORMULA) ? before : before?.querySelector(WORD_FORMULA);
    const isRead = equation && readOmml(equation) !== '';
    const alt = picture.querySelector('img')?.getAttribute('alt')?.trim();
    if (isRead) picture.remove();
    else picture.replaceWith(alt || '(formula)');
  }
  for (const equation of doc.querySelectorAll(WORD_FORMULA)) {
    if (!equation.isConnected) continue;
    const tex = readOmml(equation);
    const isAlone = !hasWords(equation, 'previousSibling') && !hasWords(equation, 'nextSibling');
    const isBlock = isAlone && equation.matches('m\\:omathpara') && equation.closest(NO_BLOCKS) === null;
    const whole = (isBlock && equation.closest('p')) || equation;
    if (tex === '') equation.remove();
    else whole.replaceWith(formulaElement(doc, tex, isBlock));
  }
}

const WORD_FORMULA = 'm\\:omathpara, m\\:omath';
const NO_BLOCKS = 'td, th, h1, h2, h3, h4, h5, h6';

const BLOCK_LINES = 'span[data-style*="display: block"], span[data-style*="display:block"]';

/** Puts line breaks around a line that is a span. */
function breakAround(line: HTMLElement): void {
  if (line.closest('.katex, math, mjx-container') !== null) return;
  const newBreak = () => line.ownerDocument.createElement('br');
  if (hasWords(line, 'previousSibling') && !hasBreak(line, 'previousSibling')) line.before(newBreak());
  if (hasWords(line, 'nextSibling') && !hasBreak(line, 'nextSibling')) line.after(newBreak());
}

/** True if a line break is before (or after) the node, in code also one of the source. */
function hasBreak(node: Element, side: 'previousSibling' | 'nextSibling'): boolean {
  const isCode = node.closest('pre') !== null;
  let sibling = node[side];
  while (sibling !== null && sibling.textContent?.trim() === '' && sibling.nodeType === Node.TEXT_NODE) {
    if (isCode && sibling.textContent.includes('\n')) return true;
    sibling = sibling[side];
  }
  return sibling instanceof Element && sibling.localName === 'br';
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
  const lang = classLanguage(code) ?? label?.language;
  for (const bar of label?.bars ?? []) bar.remove();
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

/** The language that a class of the code or of what is around it names: `lang-py`, `hljs python`, `highlight-source-js`. */
function classLanguage(code: Element): string | undefined {
  for (
    let element: Element | null = code, up = 0;
    element !== null && up < 3;
    element = element.parentElement, up += 1
  ) {
    const [, named] =
      /(?:^|\s)(?:language|lang|highlight-source|highlight-text)-([\w+#-]+)/.exec(element.className) ?? [];
    if (named !== undefined) return named;
    const { classList } = element;
    const alone = classList.contains('hljs') ? [...classList].find((name) => LANGUAGES.has(name)) : undefined;
    if (alone !== undefined) return alone;
  }
  return undefined;
}

/** The bars above the code of a chat page, which have the language and buttons; null if there are none. */
function labelOf(code: HTMLElement): { bars: Element[]; language: string } | null {
  for (let child: HTMLElement = code, up = 0; up < 3; up += 1) {
    const { parentElement } = child;
    if (parentElement === null) return null;
    const bars = [...parentElement.children].filter((sibling) => sibling !== child);
    const words = bars.filter((bar) => ownWords(bar) !== '');
    const [bar, another] = words;
    const language = bar?.matches('div, span, header') ? ownWords(bar).toLowerCase() : '';
    // In a text, a word above code can be a word of the text.
    if (bar && !another && isAbove(bar, child) && parentElement.tagName !== 'BODY' && LANGUAGES.has(language))
      return { bars, language };
    if (bars.length > 0 || !/^(DIV|CODE-BLOCK)$/.test(parentElement.tagName)) return null;
    child = parentElement;
  }
  return null;
}

const isAbove = (bar: Element, code: Element) =>
  (bar.compareDocumentPosition(code) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

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

const FORMULA = '[data-math], .katex, math, img[src*="/media/math/render/"][alt]';

/**
 * KaTeX, MathJax and MathML have a formula several times: for screen readers, for the eye, and often as TeX, which is read.
 * Wikipedia has an image beside them, or alone, as browsers do not copy what is hidden.
 */
function readFormula(formula: Element): void {
  const math = formula.localName === 'math' ? formula : formula.querySelector('math');
  const annotation = formula.querySelector('annotation[encoding="application/x-tex"]');
  const marked = formula.getAttribute('data-math');
  // The formulas of this editor have Markdown in the attribute. Other pages can mark what has several formulas or none.
  const count = (selector: string) => formula.querySelectorAll(selector).length;
  const isOne = (count('.katex, mjx-container') || count('.katex-html')) === 1;
  if (marked !== null && (formulaOf(marked) !== null || !isOne)) return;
  const source =
    marked ?? annotation?.textContent ?? formula.getAttribute('alt') ?? (math && readMathml(math));
  if (!source?.trim()) return;
  const tex = source.trim().replace(/^\{\\(?:display|text)style\s+(.*)\}$/s, '$1');
  const whole =
    formula.closest('.katex-display, .mwe-math-element, mjx-container, .MathJax_Display, .MathJax') ??
    formula;
  const isDisplay = formula.matches('div[data-math]') || formula.closest(DISPLAY_FORMULA) !== null;
  const isBlock = isDisplay && formula.closest(NO_BLOCKS) === null;
  whole.replaceWith(formulaElement(formula.ownerDocument, tex, isBlock));
}

const DISPLAY_FORMULA = '.katex-display, .MathJax_Display, .math-block, [display="block"], [display="true"]';

/** The element of a formula that the schema parses, and of code if the TeX cannot be one. */
function formulaElement(doc: Document, tex: string, isBlock: boolean): HTMLElement {
  const markdown = writeFormula(tex, isBlock)?.source;
  const element = doc.createElement(markdown === undefined ? 'code' : isBlock ? 'div' : 'span');
  if (markdown !== undefined) element.dataset['math'] = markdown;
  element.textContent = tex;
  return element;
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
  if (element.tagName === 'SPAN' && isHighlighted(style)) wrap('mark');
  // Links are underlined everywhere.
  if (/text-decoration[^;]*underline/i.test(style) && element.closest('a') === null) wrap('u');
  if (MONOSPACE.test(style)) wrap('code');
}

/** A background of any colour but white is a highlight, except the one of the page, which Chrome gives to what it copies. */
function isHighlighted(style: string): boolean {
  if (/mso-highlight:/i.test(style)) return true;
  const color = /(?:^|[;\s])background(?:-color)?:\s*(#\w+|rgba?\([^)]*\)|[a-z]+)/i
    .exec(style)?.[1]
    ?.toLowerCase();
  return (
    color !== undefined && !NO_HIGHLIGHT.test(color) && !/-webkit-text-stroke|float:\s*none/i.test(style)
  );
}

const NO_HIGHLIGHT =
  /^(#f{3,4}|#f{6}(ff)?|#\w{6}00|rgba?\(255, ?255, ?255.*|rgba\(.*[, ]0\)|white|transparent|none|inherit|initial|unset|window|url)$/;

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
