import type { Nodes, Paragraph, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { boundMarkdown } from '#libs/contract/markdown.js';
import { markdownSyntax, markdownTree } from '#libs/contract/markdown-syntax.js';

/** A range of running text in a Markdown source, in UTF-16 code units. */
export interface Prose {
  start: number;
  end: number;
}

/** The syntax tree of GitHub-flavoured Markdown, with positions. */
export const parseMarkdown = (markdown: string): Root =>
  fromMarkdown(markdown, { extensions: markdownSyntax(), mdastExtensions: markdownTree() });

/**
 * Parses a possibly hostile text. Positions are exact, but excessive marks are missing in the values of nodes: use
 * {@link parseMarkdown} for output.
 */
export const parseBounded = (markdown: string): Root => parseMarkdown(boundMarkdown(markdown));

const MAX_CACHED = 2;
let recentlyParsed: { markdown: string; root: Root }[] = [];

/** {@link parseBounded} with a cache, since several rules read the same text and paragraph. The tree must not be changed. */
export function parseCached(markdown: string): Root {
  const cached = recentlyParsed.find((one) => one.markdown === markdown);
  const last = cached ?? { markdown, root: parseBounded(markdown) };
  recentlyParsed = [last, ...recentlyParsed.filter((one) => one !== last)].slice(0, MAX_CACHED);
  return last.root;
}

/**
 * The running text of a Markdown source: its paragraphs, also within lists, in order. Headings, tables, code, HTML and
 * block quotes are excluded. A paragraph whose lines each end a sentence gives one range per line.
 */
export function proseOf(markdown: string): Prose[] {
  const found: Prose[] = [];
  const visit = (node: Nodes) => {
    if (node.type === 'paragraph') found.push(...linesOf(node, markdown));
    else if (node.type !== 'blockquote' && 'children' in node) node.children.forEach(visit);
  };
  visit(parseCached(markdown));
  return found.filter(({ start, end }) => /\p{L}/u.test(markdown.slice(start, end)));
}

/** True if a text is exactly one Markdown paragraph. */
export function isOneParagraph(markdown: string): boolean {
  const { children } = parseCached(markdown);
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
