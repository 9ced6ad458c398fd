import { rename } from './flatten-table';
import { MONOSPACE } from './paste-styles';
import { hasWords } from './paste-words';

/** Makes code blocks of the code of web pages, editors, Google Docs and Word. */
export function readCode(doc: Document): void {
  for (const table of doc.querySelectorAll('table')) readNumberedLines(table);
  readCodeLines(doc);
  for (const code of doc.querySelectorAll<HTMLElement>('code')) readCodeElement(code);
  for (const code of doc.querySelectorAll<HTMLElement>(CODE)) readCodeBlock(code);
  // Editors indent by no-break spaces, with which no program runs. This editor writes those of lines in cells.
  for (const code of doc.querySelectorAll('pre:not([data-raw]), code:not(td *, th *)'))
    replaceNoBreakSpaces(code);
}

function replaceNoBreakSpaces(element: Element): void {
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    texts.currentNode.textContent = texts.currentNode.textContent?.replaceAll('\u00a0', ' ') ?? '';
}

/** Code of web pages with line numbers is a table: with a row for each line, or with one row and two blocks. */
function readNumberedLines(table: HTMLTableElement): void {
  const cells = [...table.rows].map((row) => [row.cells[0], row.cells[1]] as const);
  const isCode = cells.every(
    ([numbers, code], index) =>
      numbers !== undefined &&
      code !== undefined &&
      table.rows[index]?.cells.length === 2 &&
      /^[\d\s]*$/.test(numbers.textContent) &&
      (code.querySelector('pre') !== null || /\bcode\b/.test(code.className)),
  );
  if (!isCode || cells.length === 0) return;
  const block = table.ownerDocument.createElement('pre');
  block.textContent = cells
    .map(([, code]) => {
      for (const lineBreak of code?.querySelectorAll('br') ?? []) lineBreak.replaceWith('\n');
      return code?.textContent.replace(/\n$/, '');
    })
    .join('\n');
  const lang = [table, ...table.querySelectorAll('code')]
    .map(classLanguage)
    .find((name) => name !== undefined);
  if (lang !== undefined) block.dataset['lang'] = lang;
  table.replaceWith(block);
}

const CODE = 'pre:not([data-raw]), div[data-style*="white-space: pre"], div[data-style*="en-codeblock"]';

/** Reads code of web pages, without the buttons beside it, and of VS Code and Evernote, which have an element for each line. */
function readCodeBlock(element: HTMLElement): void {
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
  const hasLines =
    code.querySelector('br') !== null || (isPreformatted(code) && code.textContent.trim().includes('\n'));
  if (!isAlone || !hasLines) return;
  if (code.closest('pre, td, th, h1, h2, h3, h4, h5, h6') !== null) return;
  const whole = code.closest('p') ?? code;
  const block = code.ownerDocument.createElement('pre');
  whole.replaceWith(block);
  block.append(code);
}

/** True for the code of Confluence, which is in no `pre`. Elsewhere line ends are white space of the source. */
const isPreformatted = (code: HTMLElement) =>
  classLanguage(code) !== undefined || /white-space:\s*(pre|break-spaces)/.test(code.dataset['style'] ?? '');

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
    'bash c c# c++ clojure console cpp csharp css csv dart diff docker dockerfile elixir erlang go graphql haskell html http ini ' +
    'java javascript js json jsx julia kotlin latex less lua makefile markdown md mermaid nginx objective-c ocaml perl php ' +
    'plaintext powershell prisma protobuf py python r rb rs ruby rust sass scala scss shell sh solidity sql svelte swift terraform ' +
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
    block.textContent = lines.map(codeOf).join('\n');
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
