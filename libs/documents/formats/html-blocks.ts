import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import type { Block } from './blocks.js';
import type { FileDetails } from './file-reading.js';
import { findHiddenRules, isHidden, type HiddenRules } from './html-hidden.js';
import { unreadableDocument } from './refusals.js';
import { tableBlocks, type Cell } from './table-kind.js';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.ChildNode;

/** Elements without text that a browser shows. */
const SKIPPED = new Set(
  'script style noscript template head svg math iframe object embed canvas video audio select textarea datalist rt rp'.split(
    ' ',
  ),
);
const INLINE = new Set(
  'a abbr acronym b bdi bdo big button cite code data del dfn em font i img ins kbd label mark meter nobr output progress q ruby s samp small span strike strong sub sup time tt u var wbr input picture slot'.split(
    ' ',
  ),
);
const MAX_SPAN = 100;
/** Deeper trees would exhaust the stack. */
const MAX_DEPTH = 500;

/** The blocks of a web page, as a browser without scripts shows them. Loads nothing. */
export function htmlBlocks(source: string): { blocks: Block[]; details: FileDetails } {
  const root = parse(source, { scriptingEnabled: false });
  const html = root.childNodes.find((node): node is Element => node.nodeName === 'html');
  if (!html) return { blocks: [], details: {} };
  const walk = new HtmlWalk(findHiddenRules(html));
  return { blocks: walk.read(html), details: readDetails(html) };
}

class HtmlWalk {
  private blocks: Block[] = [];
  private line = '';
  private depth = 0;
  /** The mark of the list item whose first text is not written yet. */
  private mark: string | undefined;
  private isInItem = false;

  constructor(private readonly hidden: HiddenRules) {}

  read(element: Element): Block[] {
    this.children(element);
    this.endBlock();
    return this.blocks;
  }

  private children(element: Element, isPreformatted = false): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw unreadableDocument('heavy');
    for (const node of element.childNodes) this.node(node, isPreformatted);
    this.depth -= 1;
  }

  private node(node: Node, isPreformatted: boolean): void {
    if (node.nodeName === '#text') {
      const { value } = node as DefaultTreeAdapterTypes.TextNode;
      this.line += isPreformatted ? value : value.replace(/[^\S\u00a0]+/g, ' ');
      return;
    }
    if (!('tagName' in node) || SKIPPED.has(node.tagName) || isHidden(node, this.hidden)) return;
    this.element(node, isPreformatted);
  }

  private element(element: Element, isPreformatted: boolean): void {
    const { tagName } = element;
    if (tagName === 'br') this.line += '\n';
    else if (tagName === 'q') {
      this.line += '“';
      this.children(element);
      this.line += '”';
    } else if (INLINE.has(tagName)) this.children(element, isPreformatted);
    else if (tagName === 'table') this.table(element);
    else if (tagName === 'ul' || tagName === 'ol' || tagName === 'menu') this.list(element);
    else {
      const level = /^h([1-6])$/.exec(tagName)?.[1];
      this.endBlock();
      this.children(element, isPreformatted || tagName === 'pre');
      this.endBlock(level ? Number(level) : undefined);
    }
  }

  private list(element: Element): void {
    this.endBlock();
    let number = Number(attributeOf(element, 'start') ?? 1) || 1;
    for (const node of element.childNodes) {
      if (!('tagName' in node) || node.tagName !== 'li') {
        this.node(node, false);
        continue;
      }
      if (isHidden(node, this.hidden)) continue;
      const [mark, isInItem] = [this.mark, this.isInItem];
      this.mark = element.tagName === 'ol' ? `${Number(attributeOf(node, 'value')) || number}.` : '•';
      this.isInItem = true;
      this.children(node);
      this.endBlock();
      [this.mark, this.isInItem] = [mark, isInItem];
      number += 1;
    }
    this.endBlock();
  }

  private table(table: Element): void {
    this.endBlock();
    const rows: Cell[][] = [];
    const spanned: { cell: Cell; rows: number }[] = [];
    for (const row of rowsOf(table)) {
      if (row.tagName === 'caption') {
        this.children(row);
        this.endBlock();
        continue;
      }
      if (isHidden(row, this.hidden)) continue;
      rows.push(this.row(row, spanned));
    }
    this.blocks.push(...tableBlocks(rows));
  }

  private row(row: Element, spanned: { cell: Cell; rows: number }[]): Cell[] {
    const cells: Cell[] = [];
    const fillSpanned = () => {
      for (let above = spanned[cells.length]; above && above.rows > 0; above = spanned[cells.length]) {
        above.rows -= 1;
        cells.push(above.cell);
      }
    };
    for (const node of row.childNodes) {
      if (!('tagName' in node) || (node.tagName !== 'td' && node.tagName !== 'th')) continue;
      fillSpanned();
      if (cells.length > MAX_SPAN) break;
      const cell = isHidden(node, this.hidden) ? [] : this.cell(node);
      const rows = spanOf(node, 'rowspan') - 1;
      for (let more = spanOf(node, 'colspan'); more > 0; more -= 1) {
        const content = more === spanOf(node, 'colspan') ? cell : [];
        spanned[cells.length] = { cell: content, rows };
        cells.push(content);
      }
    }
    fillSpanned();
    return cells;
  }

  private cell(cell: Element): Cell {
    const walk = new HtmlWalk(this.hidden);
    walk.depth = this.depth;
    return walk.read(cell);
  }

  private endBlock(level?: number): void {
    const text = this.line
      .split('\n')
      .map((line) => line.trim())
      .join('\n')
      .trim();
    this.line = '';
    if (text === '') return;
    if (level !== undefined) this.blocks.push({ kind: 'heading', text, level });
    else if (this.isInItem)
      this.blocks.push({ kind: 'item', text: this.mark ? `${this.mark} ${text}` : text });
    else this.blocks.push({ kind: 'paragraph', text });
    this.mark = undefined;
  }
}

const spanOf = (cell: Element, name: string) =>
  Math.min(Math.max(Number(attributeOf(cell, name)) || 1, 1), MAX_SPAN);

/** The rows of a table, and its caption. */
const rowsOf = (table: Element): Element[] =>
  table.childNodes.flatMap((node) => {
    if (!('tagName' in node)) return [];
    if (node.tagName === 'tr' || node.tagName === 'caption') return [node];
    return /^t(?:body|head|foot)$/.test(node.tagName) ? rowsOf(node) : [];
  });

const attributeOf = ({ attrs }: Element, name: string) =>
  attrs.find((attribute) => attribute.name === name)?.value;

function readDetails(html: Element): FileDetails {
  const head = html.childNodes.find((node): node is Element => node.nodeName === 'head');
  const elements = (head?.childNodes ?? []).filter((node): node is Element => 'tagName' in node);
  const meta = (...names: string[]) =>
    elements
      .find(
        (element) =>
          element.tagName === 'meta' &&
          names.includes(
            (attributeOf(element, 'name') ?? attributeOf(element, 'property') ?? '').toLowerCase(),
          ),
      )
      ?.attrs.find(({ name }) => name === 'content')
      ?.value.trim() || undefined;
  const title = elements.find(({ tagName }) => tagName === 'title')?.childNodes[0];
  return {
    title: (title && 'value' in title ? title.value.replace(/\s+/g, ' ').trim() : '') || meta('og:title'),
    author: meta('author', 'dc.creator', 'article:author'),
    created: meta('article:published_time', 'date', 'dc.date'),
    modified: meta('article:modified_time', 'last-modified'),
    language: attributeOf(html, 'lang'),
  };
}
