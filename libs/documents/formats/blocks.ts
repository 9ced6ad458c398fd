import { normalisePages } from '../layout/normalise-pages.js';

/** A part of a document's text, without markup. */
export type Block =
  | { kind: 'heading'; text: string; level: number }
  /** `isTight` joins the paragraph to the next one without a blank line, as in an address. */
  | { kind: 'paragraph'; text: string; isTight?: boolean }
  | { kind: 'item'; text: string }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'pageBreak' };

export interface FileHeading {
  title: string;
  /** From 1. */
  page: number;
  level: number;
}

/** The length of pages in characters, if a document has none of its own. */
const PAGE_CHARACTERS = 3_000;
/** A longer page is more than one: the document has a page break somewhere, but not one at the end of each page. */
const MAX_PAGE_CHARACTERS = 7_000;

export interface PagedText {
  /** Normalised. */
  pages: string[];
  /** True if the pages are those of the document, false if its text was divided into pages here. */
  hasPages: boolean;
  headings: FileHeading[];
}

/**
 * Writes blocks as pages of structured text: blocks separated by a blank line, items of a list on lines of their own, tables
 * as GFM tables. Without page breaks, pages have about {@link PAGE_CHARACTERS} characters and begin at a heading if possible.
 */
export function toPages(blocks: readonly Block[]): PagedText {
  const hasPages = blocks.some(({ kind }) => kind === 'pageBreak');
  const most = hasPages ? MAX_PAGE_CHARACTERS : PAGE_CHARACTERS;
  const pages: string[] = [];
  const headings: FileHeading[] = [];
  let page = '';
  let last: Block | undefined;
  const endPage = () => {
    if (page !== '') pages.push(page);
    page = '';
    last = undefined;
  };
  for (const block of blocks) {
    if (block.kind === 'pageBreak') endPage();
    else {
      for (const text of textsOf(block, most)) {
        const startsPart = block.kind === 'heading' && page.length > most * 0.6;
        if (page.length + text.length > most * 1.2 || startsPart) endPage();
        page += (last ? separator(last, block) : '') + text;
        last = block;
      }
      if (block.kind === 'heading')
        headings.push({ title: toLine(block.text), page: pages.length + 1, level: block.level });
    }
  }
  endPage();
  return { pages: normalisePages(pages), hasPages, headings: headings.filter(({ title }) => title !== '') };
}

function separator(last: Block, next: Block): string {
  if (last.kind === 'item' && next.kind === 'item') return '\n';
  return last.kind === 'paragraph' && last.isTight && next.kind === 'paragraph' ? '\n' : '\n\n';
}

/** The texts of a block: none if it is empty, several if it is longer than a page. */
function textsOf(block: Exclude<Block, { kind: 'pageBreak' }>, most: number): string[] {
  if (block.kind === 'table') return tablesOf(block.rows, most);
  const text = block.text.replace(/[^\S\n]+/g, ' ').trim();
  return text === '' ? [] : split(text, most);
}

function split(text: string, most: number): string[] {
  const texts: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const line = rest.lastIndexOf('\n', most);
    const space = line > 0 ? line : rest.lastIndexOf(' ', most);
    const at = space > 0 ? space : most;
    texts.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return [...texts, rest];
}

/** A GFM table; several with the same head if it is longer than a page. */
function tablesOf(rows: readonly string[][], most: number): string[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const [head, ...body] = rows
    .filter((row) => row.some((text) => text.trim() !== ''))
    .map((row) => line(Array.from({ length: width }, (_, column) => cell(row[column] ?? ''))));
  if (head === undefined) return [];
  const top = `${head}\n${line(Array<string>(width).fill('---'))}`;
  const tables = [top];
  for (const row of body) {
    const table = tables.at(-1) ?? top;
    const isFull = table !== top && table.length + row.length > most;
    if (isFull) tables.push(`${top}\n${row}`);
    else tables[tables.length - 1] = `${table}\n${row}`;
  }
  return tables;
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const cell = (text: string) => toLine(text).replaceAll('|', '\\|');
const toLine = (text: string) => text.replace(/\s+/g, ' ').trim();
