import type { Node } from 'prosemirror-model';
import { parseMarkdown } from './parse-markdown';
import { blockReader } from './read-markdown';
import { schema } from './schema';
import { writeBlock } from './write-markdown';

/** Markdown from which a block was parsed, with its position in the parsed text. */
interface Origin {
  source: string;
  /** The blank lines between the previous block and this block. */
  gap: string;
  reading: Reading;
  /** Index of the block among the blocks of that text. */
  index: number;
}

interface Reading {
  /** White space after the last block. */
  tail: string;
}

const { nodes } = schema;

/**
 * Converts Markdown to a document and back. Blocks that the user didn't change keep their exact source. They are recognised
 * by node identity, which ProseMirror preserves, or after an undo by equal JSON (`shapes`).
 */
export class MarkdownText {
  private readonly origins = new WeakMap<Node, Origin>();
  private shapes = new Map<string, Origin>();
  /** A cache of blocks whose JSON is not in `shapes`. */
  private changed = new WeakSet<Node>();
  /** A cache of the Markdown of blocks without origin. */
  private readonly written = new WeakMap<Node, { marker: string | undefined; source: string }>();
  private reading: Reading = { tail: '' };

  read(markdown: string): Node {
    const readBlock = blockReader(markdown);
    const reading: Reading = { tail: '' };
    this.shapes = new Map();
    this.changed = new WeakSet();
    this.reading = reading;
    let end = 0;
    const blocks = parseMarkdown(markdown).children.map((block, index) => {
      const node = readBlock(block);
      const start = startOfLine(markdown, block.position?.start.offset ?? end);
      const blockEnd = block.position?.end.offset ?? end;
      const gap = markdown.slice(end, Math.max(end, start));
      const origin = { source: markdown.slice(Math.max(end, start), blockEnd), gap, reading, index };
      this.origins.set(node, origin);
      this.shapes.set(JSON.stringify(node), origin);
      end = blockEnd;
      return node;
    });
    reading.tail = markdown.slice(end);
    return nodes.doc.create(null, blocks.length > 0 ? blocks : nodes.paragraph.create());
  }

  /** Gives `kept`, a block of the document, the origin of `read`, an equal block of the latest text. */
  replaceOrigin(kept: Node, read: Node): void {
    const origin = this.origins.get(read);
    if (origin !== undefined) this.origins.set(kept, origin);
  }

  write(doc: Node): string {
    let markdown = '';
    let last: Origin | undefined;
    let lastMarker: string | undefined;
    doc.children.forEach((node, index) => {
      const origin = this.originOf(node);
      const keepsPlace =
        origin !== undefined && (follows(last, origin) || (markdown === '' && origin.index === 0));
      // Indented code after a list would be parsed as part of the list, so don't reuse its source.
      const joinsList = !keepsPlace && lastMarker !== undefined && /^(?: {4}|\t)/.test(origin?.source ?? '');
      const known = joinsList ? undefined : origin;
      if (known === undefined && isEmptyParagraph(node)) return;
      const next = doc.maybeChild(index + 1);
      const nextSource = next ? this.originOf(next)?.source : undefined;
      const source =
        known?.source ?? this.writeChanged(node, freeMarker(node, [lastMarker, markerOf(nextSource)]));
      if (keepsPlace) markdown += origin.gap;
      else if (markdown !== '') markdown += '\n\n';
      markdown += source;
      last = known;
      lastMarker = markerOf(source);
    });
    return markdown + this.reading.tail;
  }

  private writeChanged(node: Node, marker: string | undefined): string {
    const known = this.written.get(node);
    if (known !== undefined && known.marker === marker) return known.source;
    const source = writeBlock(node, marker);
    this.written.set(node, { marker, source });
    return source;
  }

  private originOf(node: Node): Origin | undefined {
    const known = this.origins.get(node);
    if (known !== undefined || this.changed.has(node)) return known;
    const equal = this.shapes.get(JSON.stringify(node));
    if (equal !== undefined) this.origins.set(node, equal);
    else this.changed.add(node);
    return equal;
  }
}

const follows = (last: Origin | undefined, next: Origin) =>
  last !== undefined && last.reading === next.reading && last.index + 1 === next.index;

const isEmptyParagraph = (node: Node) => node.type === nodes.paragraph && node.childCount === 0;

function startOfLine(markdown: string, offset: number): number {
  const start = markdown.lastIndexOf('\n', offset - 1) + 1;
  return markdown.slice(start, offset).trim() === '' ? start : offset;
}

/** The list marker with which the source begins (`-`, `+`, `*`, `.` or `)`); undefined if it is not a list. */
const markerOf = (source: string | undefined) =>
  /^ {0,3}(?:([-+*])|\d{1,9}([.)]))(?:\s|$)/
    .exec(source ?? '')
    ?.slice(1)
    .find(Boolean);

/** A list marker that the adjacent lists don't use, since Markdown joins adjacent lists with the same marker. */
function freeMarker(node: Node, taken: readonly (string | undefined)[]): string | undefined {
  const markers = node.type === nodes.ordered_list ? ['.', ')'] : ['-', '*', '+'];
  return markers.find((marker) => !taken.includes(marker));
}
