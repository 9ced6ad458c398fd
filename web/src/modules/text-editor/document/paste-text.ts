import type { List, Nodes, RootContent } from 'mdast';
import type { Node } from 'prosemirror-model';
import { isWithinMarkdownLimits } from '#libs/contract/markdown.js';
import { parseMarkdown } from './parse-markdown';
import { blockReader } from './read-markdown';
import { schema } from './schema';

const { nodes } = schema;

/**
 * Parses pasted plain text as Markdown. Text over the Markdown limits becomes one paragraph per line.
 * @param isInWords true if the text is pasted beside other words of a paragraph
 */
export function readText(text: string, isInWords: boolean): Node[] {
  const table = tableOf(text);
  if (table !== null) return [table];
  if (!isWithinMarkdownLimits(text))
    return text
      .split(/\n+/)
      .filter((line) => line !== '')
      .map((line) => nodes.paragraph.create(null, schema.text(line)));
  const isLine = !text.trim().includes('\n');
  const source = escapeSigns(isLine ? text.replace(isInWords ? MARKER : AMOUNT, '$&\\') : text);
  return splitLists(parseMarkdown(source).children, source).map(blockReader(source));
}

/** What would make an item, a quotation or a heading of a line within a sentence, and be lost. */
const MARKER = /^\s*(?:\d{1,9}(?=[.)](?:\s|$))|(?=[-+*](?:\s|$)|>|#{1,6}(?:\s+\d|\s*$)))/;

/** A line that is an amount, such as `- 5 °C`, or a comparison, such as `> 50 %`. */
const AMOUNT = /^\s*(?=[-+] +\d[\d.,\s]*\S{0,3}\s*$|>\s*[\d=])/;

/** Markdown that is read without escapes. */
const VERBATIM: readonly string[] = ['code', 'inlineCode', 'html', 'math', 'inlineMath'];

/** Escapes signs that are more likely a part of the text than Markdown, such as the asterisks of `2*3*4`. */
function escapeSigns(text: string): string {
  const inserted = new Map<number, string>();
  let plain = '';
  const read = (node: Nodes) => {
    const { start, end } = rangeOf(node);
    if (VERBATIM.includes(node.type))
      plain += text.slice(plain.length, start) + ' '.repeat(Math.max(0, end - Math.max(start, plain.length)));
    const length = markLength(node, text);
    for (let at = 0; at < length; at += 1) {
      inserted.set(start + at, '\\');
      inserted.set(end - 1 - at, '\\');
    }
    if (!('children' in node)) return;
    node.children.forEach((child, index) => {
      const beside = [node.children[index - 1], node.children[index + 1]];
      if (child.type === 'list' && hasSigns(child, beside, text))
        for (const { children } of child.children)
          if (children[0]?.type === 'paragraph')
            inserted.set(rangeOf(children[0]).start, `\\${bulletOf(child, text)} `);
      read(child);
    });
  };
  read(parseMarkdown(text));
  plain += text.slice(plain.length);
  for (const { index } of plain.matchAll(LINE_SIGNS)) inserted.set(index, '\\');
  for (const { 0: path, index } of plain.matchAll(WINDOWS_PATH))
    for (const backslash of path.matchAll(/\\(?=[!-/:-@[-`{-~])/g))
      inserted.set(index + backslash.index, '\\');
  let escaped = '';
  let at = 0;
  for (const [offset, more] of [...inserted].sort(([one], [other]) => one - other)) {
    escaped += text.slice(at, offset) + more;
    at = offset;
  }
  return escaped + text.slice(at);
}

/** The sign of a comparison at the start of a line, and the first dot of a date such as 5. 3. 2024, which is no list. */
const LINE_SIGNS = /(?<=^ {0,3})>(?=[\d=])|(?<=^ {0,3}\d{1,2})\.(?= \d{1,2}\. ?\d)/gm;
const WINDOWS_PATH = /(?<![^\s"'(])(?:[a-z]:\\|\\\\(?=\w))\S*/gi;

const rangeOf = ({ position }: Nodes) => ({
  start: position?.start.offset ?? 0,
  end: position?.end.offset ?? 0,
});

const LETTER = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]`;
const ENDS_FACTOR = new RegExp(String.raw`${LETTER}|[)\]]`, 'u');
const BEGINS_FACTOR = new RegExp(String.raw`${LETTER}|[(\[]`, 'u');

/** The length of each of the two marks of a node that are no Markdown; 0 if they are. */
function markLength(node: Nodes, text: string): number {
  const { start, end } = rangeOf(node);
  const length = node.type === 'strong' || text.startsWith('~~', start) ? 2 : 1;
  const [before = '', first = '', last = '', after = ''] = [
    text[start - 1],
    text[start + length],
    text[end - length - 1],
    text[end],
  ];
  const hasNumber = [before, first, last, after].some((letter) => /\d/.test(letter));
  const isWithinWords = ENDS_FACTOR.test(before) && BEGINS_FACTOR.test(after);
  switch (node.type) {
    // The product 2*3*4 and the words Kolleg*innen and Freund*innen.
    case 'emphasis':
      return isWithinWords || isBetweenDigits(before, first) || isBetweenDigits(last, after) ? 1 : 0;
    // The power x**2, and the name __init__.
    case 'strong':
      return (isWithinWords && hasNumber) || /^__[a-z]+(?:_[a-z]+)*__$/.test(text.slice(start, end)) ? 2 : 0;
    // The range 3~4, and H~2~O.
    case 'delete':
      return length === 1 && (hasNumber || isWithinWords) ? 1 : 0;
    default:
      return 0;
  }
}

const isBetweenDigits = (one: string, other: string) => /\d/.test(one) && /\d/.test(other);

const bulletOf = (list: List, text: string) => text[rangeOf(list).start];

/** True for lists whose bullets are plus and minus signs, such as those of advantages and disadvantages. */
function hasSigns(list: List, beside: readonly (Nodes | undefined)[], text: string): boolean {
  const isBeside = (bullet: string) =>
    beside.some((other) => other?.type === 'list' && bulletOf(other, text) === bullet);
  const hasAmount = list.children.some(
    ({ children: [words] }) => words && /\d/.test(text[rangeOf(words).start] ?? ''),
  );
  switch (bulletOf(list, text)) {
    case '+':
      return hasAmount || isBeside('-');
    case '-':
      return isBeside('+');
    default:
      return false;
  }
}

/** Starts a new list at each number that does not follow the one before, as Markdown would count on. */
function splitLists(blocks: readonly RootContent[], source: string): RootContent[] {
  return blocks.flatMap((block): RootContent[] => {
    if (block.type === 'blockquote')
      return [{ ...block, children: splitLists(block.children, source) as typeof block.children }];
    if (block.type !== 'list') return [block];
    const items = block.children.map((item) => ({
      ...item,
      children: splitLists(item.children, source) as typeof item.children,
    }));
    const numbers = items.map((item) => Number.parseInt(source.slice(rangeOf(item).start), 10));
    if (!block.ordered || numbers.every((number) => number === numbers[0]))
      return [{ ...block, children: items }];
    const parts: List[] = [];
    items.forEach((item, index) => {
      const part = parts.at(-1);
      const number = numbers[index] ?? 1;
      if (part && number === (numbers[index - 1] ?? 0) + 1) part.children.push(item);
      else parts.push({ ...block, start: number, children: [item] });
    });
    return parts;
  });
}

/**
 * Reads lines that tabs divide into cells, as of a spreadsheet; null if the text is none. The first cell of a cross table is empty,
 * and some programs omit empty cells at the end of a row.
 */
function tableOf(text: string): Node | null {
  const rows = cellsOf(text.replace(/[\r\n]+$/, ''));
  const width = rows[0]?.length ?? 0;
  if (rows.length < 2 || width < 2) return null;
  if (rows.some((row) => row.length > width || (row.length === 1 && row[0]?.trim() === ''))) return null;
  // Word divides the numbers of a list from its items by tabs.
  if (isIndented(rows) || rows.every(([first = '']) => /^(?:\d{1,9}[.)]|[-+*•])$/.test(first))) return null;
  const short = rows.filter(({ length }) => length < width);
  // A line without a tab among few others is text.
  if (short.some(({ length }) => length === 1) && 2 * short.length >= rows.length) return null;
  for (const row of short) row.push(...Array.from({ length: width - row.length }, () => ''));
  return nodes.table.create(
    null,
    rows.map((row, index) =>
      nodes.table_row.create(
        null,
        row.map((cell) =>
          (index === 0 ? nodes.table_header : nodes.table_cell).create(
            null,
            nodes.paragraph.create(null, linesOf(cell.trim())),
          ),
        ),
      ),
    ),
  );
}

/** A cell in quotation marks, as spreadsheets write one with several lines, or up to the next tab. */
const CELL = /(?:"((?:[^"\t]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r?\n|\r|$)/gy;

function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(CELL)) {
    const isQuoted = quoted !== undefined && /\n|""/.test(quoted);
    rows.at(-1)?.push(isQuoted ? quoted.replaceAll('""', '"') : quoted === undefined ? plain : `"${quoted}"`);
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  return rows;
}

/** True for code, in which rows begin with a tab that stands for no cell. */
function isIndented([head = [], ...body]: readonly string[][]): boolean {
  const indented = body.filter(([first, ...others]) => first === '' && others.some(Boolean));
  if (indented.length === 0) return false;
  return (
    indented.length === body.length ||
    indented.some(({ length }) => length < head.length) ||
    body.some((row) => [row[0], row.at(-1)].some((cell = '') => /[;:{}(\\]\s*$/.test(cell)))
  );
}

const linesOf = (cell: string): Node[] =>
  cell
    .split(/\r?\n/)
    .flatMap((line, index) => [
      ...(index === 0 ? [] : [nodes.hard_break.create()]),
      ...(line === '' ? [] : [schema.text(line)]),
    ]);
