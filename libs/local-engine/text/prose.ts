import type { Nodes, Paragraph, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** A stretch of running text in a Markdown source; offsets count UTF-16 code units. */
export interface Prose {
  start: number;
  end: number;
}

/** The syntax tree of a text in GitHub's Markdown, with positions. */
export const parseMarkdown = (markdown: string): Root =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/**
 * The same of a text that may be made to keep a server busy. Offsets hold; of more marks than anybody means, the
 * values of nodes lack some: what a user is given is made from {@link parseMarkdown}.
 */
export const parseBounded = (markdown: string): Root => parseMarkdown(bounded(markdown));

/** Quotations within quotations, and marks of emphasis in all, that are taken for such. */
const MOST_QUOTES = 50;
const MOST_MARKS = 2_000;

/**
 * The text with spaces for what nobody means as marks. The parser's time and memory grow with the square of them: a
 * few kilobytes would stop, or end, the process that reads them. Every offset stays.
 */
function bounded(markdown: string): string {
  let marks = 0;
  return markdown
    .replace(/(?:>[ \t]*){3,}/g, (run) => {
      let quotes = 0;
      return run.replace(/>/g, () => ((quotes += 1) > MOST_QUOTES ? ' ' : '>'));
    })
    .replace(/[*_~]/g, (mark) => ((marks += 1) > MOST_MARKS ? ' ' : mark));
}

/**
 * Where the running text of a Markdown text stands: its paragraphs, those of lists too, in order. Headings, tables,
 * code, HTML and quoted blocks are none. A paragraph whose lines each end a sentence is one stretch for each line.
 */
export function proseOf(markdown: string): Prose[] {
  const found: Prose[] = [];
  const visit = (node: Nodes) => {
    if (node.type === 'paragraph') found.push(...linesOf(node, markdown));
    else if (node.type !== 'blockquote' && 'children' in node) node.children.forEach(visit);
  };
  visit(parseBounded(markdown));
  return found.filter(({ start, end }) => /\p{L}/u.test(markdown.slice(start, end)));
}

/** Whether a text by itself would be one paragraph, and nothing else. */
export function isOneParagraph(markdown: string): boolean {
  const { children } = parseBounded(markdown);
  return children.length === 1 && children[0]?.type === 'paragraph';
}

function linesOf(paragraph: Paragraph, markdown: string): Prose[] {
  const start = paragraph.position?.start.offset ?? 0;
  const end = paragraph.position?.end.offset ?? 0;
  const source = markdown.slice(start, end);
  const breaks = paragraph.children.filter(({ type }) => type === 'break');
  const ends = source.split('\n').every((line) => /[.!?:;…。！？][\p{Pe}\p{Pf}"'*_~]*\s*$/u.test(line));
  const isCut = (newline: number) =>
    ends || breaks.some(({ position }) => position?.end.offset === start + newline + 1);
  const lines: Prose[] = [];
  let from = 0;
  for (let at = source.indexOf('\n'); ; at = source.indexOf('\n', at + 1)) {
    if (at >= 0 && !isCut(at)) continue;
    const line = source.slice(from, at < 0 ? undefined : at);
    const left = line.length - line.trimStart().length;
    const right = line.replace(/\s*\\?\s*$/u, '').length;
    if (right > left) lines.push({ start: start + from + left, end: start + from + right });
    if (at < 0) return lines;
    from = at + 1;
  }
}
