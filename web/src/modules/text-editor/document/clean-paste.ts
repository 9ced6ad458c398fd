import { flattenTable, rename } from './flatten-table';
import { formulaOf, writeFormula } from './formula';
import { readCode } from './paste-code';
import { nestLists, readLists } from './paste-lists';
import { readNotes } from './paste-notes';
import { flattenScripts, readStyle, StyleSheets } from './paste-styles';
import { hasWords } from './paste-words';
import { readMathml } from './read-mathml';
import { readOmml } from './read-omml';

/** Converts pasted HTML, such as from Word or Google Docs, to plain HTML that the schema can parse. */
export function cleanPaste(html: string): string {
  const inert = readConditions(html)
    .replace(/<style[\s\S]*?<\/style>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='));
  const doc = new DOMParser().parseFromString(inert, 'text/html');
  for (const element of doc.querySelectorAll(NO_CONTENT)) element.remove();
  // Chromium copies the elements of what is folded in without their words.
  for (const element of doc.querySelectorAll('details:not([open]) > :not(summary)'))
    if (element.textContent.trim() === '' && element.querySelector('img') === null) element.remove();
  for (const summary of doc.querySelectorAll('summary')) rename(summary, 'div');
  for (const quote of doc.querySelectorAll('q')) quote.replaceWith('“', ...quote.childNodes, '”');
  // Word breaks lines within styles.
  for (const element of doc.querySelectorAll<HTMLElement>('[data-style]'))
    element.dataset['style'] = element.dataset['style']?.replace(/\s+/g, ' ');
  const sheets = new StyleSheets(html);
  for (const element of doc.querySelectorAll('[class]')) sheets.apply(element);
  for (const comment of doc.querySelectorAll(COMMENTS)) comment.remove();
  for (const element of doc.querySelectorAll('o\\:p')) element.replaceWith(...element.childNodes);
  readWordFormulas(doc);
  // Word for the web ends each paragraph with a space.
  for (const mark of doc.querySelectorAll('span.EOP')) mark.remove();
  for (const title of doc.querySelectorAll('p.MsoTitle')) rename(title, 'h1');
  for (const quote of doc.querySelectorAll('p.MsoQuote, p.MsoIntenseQuote')) wrapIn(quote, 'blockquote');
  for (const heading of doc.querySelectorAll('[role=heading][aria-level]')) readHeading(heading);
  for (const reading of doc.querySelectorAll('ruby rt')) readRuby(reading);
  for (const pair of doc.querySelectorAll<HTMLElement>(SCRIPT_PAIRS)) readScriptPair(pair);
  for (const line of doc.querySelectorAll<HTMLElement>(BLOCK_LINES)) breakAround(line);
  readCode(doc);
  for (const element of doc.querySelectorAll<HTMLElement>('[data-style*="white-space" i]'))
    breakLines(element);
  // `data-pm-slice` marks HTML copied from this editor, whose links and line breaks are all intended.
  if (!html.includes('data-pm-slice')) {
    readNotes(doc);
    removeBlanks(doc);
  }
  for (const line of doc.querySelectorAll('a u')) line.replaceWith(...line.childNodes);
  for (const formula of doc.querySelectorAll(FORMULA)) if (formula.isConnected) readFormula(formula);
  for (const sign of doc.querySelectorAll('[role=img][aria-label], td svg[aria-label]')) readSign(sign);
  for (const element of doc.querySelectorAll(NOT_SHOWN)) element.remove();
  nestLists(doc, sheets);
  for (const element of doc.querySelectorAll<HTMLElement>('[data-style]')) readStyle(element);
  flattenScripts(doc);
  readLists(doc);
  for (const box of doc.querySelectorAll<HTMLInputElement>(BOXES)) readBox(box);
  for (const table of doc.querySelectorAll('table')) flattenTable(table);
  return doc.body.innerHTML;
}

/** What is no text of a page. Headings of pages that unfold are buttons. */
const NO_CONTENT =
  'meta, link, script, title, xml, .mw-editsection, select, textarea, noscript, iframe, comment, ' +
  'button:not(h1 *, h2 *, h3 *, h4 *, h5 *, h6 *)';

/** Comments of Word: their marks in the text and their list. */
const COMMENTS = '.MsoCommentReference, [data-style*="mso-element:comment-list"]';

/** Formulas have hidden parts and drawings, so they are read before. */
const NOT_SHOWN =
  'svg, [hidden], [data-style*="display:none" i], [data-style*="display: none" i], ' +
  '[data-style*="visibility:hidden" i], [data-style*="visibility: hidden" i]';

/** Word for the web has paragraphs for headings. */
function readHeading(heading: Element): void {
  const level = Number(heading.getAttribute('aria-level'));
  if (!/^H\d$/.test(heading.tagName) && level >= 1) rename(heading, `h${Math.min(6, level)}`);
}

/** Puts the reading of Chinese characters in brackets, as browsers do that cannot show it above. */
function readRuby(reading: Element): void {
  const hasBrackets = reading.previousElementSibling?.tagName === 'RP';
  if (!hasBrackets && reading.textContent.trim() !== '') reading.textContent = `（${reading.textContent}）`;
}

const SCRIPT_PAIRS = '.template-chem2-su, span[data-style*="inline-block"]';

/** Converts a superscript above a subscript, as in the ions and isotopes of Wikipedia, which are two lines in a small font. */
function readScriptPair(pair: HTMLElement): void {
  const { ownerDocument: doc } = pair;
  const isSmall = /font-size:\s*[78]\d%/.test(pair.dataset['style'] ?? '');
  if (!isSmall && !pair.matches('.template-chem2-su')) return;
  for (const lineBreak of pair.querySelectorAll('br')) lineBreak.replaceWith('\n');
  const parts = pair.textContent.includes('\n')
    ? pair.textContent.split('\n')
    : [...pair.children].map((child) => child.textContent);
  if (parts.length !== 2) return;
  const scripts = parts.map((text, index) => {
    const script = doc.createElement(index === 0 ? 'sup' : 'sub');
    script.textContent = text.trim();
    return script;
  });
  pair.replaceWith(...scripts.filter(({ textContent }) => textContent !== ''));
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

/** Keeps the lines of a text whose line ends are shown, as in messages. */
function breakLines(element: HTMLElement): void {
  if (!/white-space(?:-collapse)?:\s*(?:pre|break-spaces)/i.test(element.dataset['style'] ?? '')) return;
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) found.push(texts.currentNode as Text);
  for (const text of found) {
    const { parentElement, data } = text;
    const isOwn = parentElement?.closest('[data-style*="white-space" i]') === element;
    if (!isOwn || !data.includes('\n') || data.trim() === '' || parentElement.closest('pre') !== null)
      continue;
    const lines = data.split(/\r?\n/);
    text.replaceWith(
      ...lines.flatMap((line, index) =>
        index === 0 ? [line] : [text.ownerDocument.createElement('br'), line],
      ),
    );
  }
}

/** Keeps what a drawing says that stands for words, such as the stars of a rating or the tick of a table. */
function readSign(sign: Element): void {
  const isSvg = sign.localName === 'svg';
  const cell = sign.closest('td');
  const words = isSvg && cell && !sign.matches('[role=img]') ? cell : sign;
  const own = isSvg && words === sign ? '' : words.textContent.trim();
  if (own === '' && !sign.matches('img, a *, button *'))
    sign.replaceWith(sign.getAttribute('aria-label') ?? '');
}

/** Boxes in cells and in text. Those of other items are read as tasks. */
const BOXES = 'input:is([type=checkbox], [type=radio]):is(td *, th *, :not(li *))';

/** Writes a box that no task has as a sign. */
function readBox(box: HTMLInputElement): void {
  const isBeforeSpace = /^\s/.test(box.nextSibling?.textContent ?? '');
  box.replaceWith((box.checked ? '☑' : '☐') + (isBeforeSpace ? '' : ' '));
}

function wrapIn(element: Element, tag: string): void {
  const around = element.ownerDocument.createElement(tag);
  element.replaceWith(around);
  around.append(element);
}

/** Removes empty paragraphs, and line breaks that don't stand between two texts. */
function removeBlanks(doc: Document): void {
  for (const image of doc.querySelectorAll('img')) if (EMOJI.test(image.alt)) image.replaceWith(image.alt);
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

/** The alternative text of the picture of an emoji, or its name on Slack and Discourse. */
const EMOJI =
  /^(?:[^\p{L}\p{N}\s]*[\p{Extended_Pictographic}\p{Regional_Indicator}][^\p{L}\p{N}\s]*|:[\w+-]+:)$/u;

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
