import type { Node } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { directionOf, isRightToLeft, type Direction } from '../../../shared/markdown/direction';

/** Blocks with a side for markers, lines or columns. Paragraphs and headings have `dir="auto"`. */
const SIDED = new Set(['blockquote', 'bullet_list', 'ordered_list', 'list_item', 'table']);

/** Sets `dir` on lists, quotations and tables as the rendered text has it, so that their markers are on the same side. */
export const directions = (): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    state: {
      init: (_, { doc }) => directionsIn(doc),
      apply: ({ docChanged, doc }, set) => (docChanged ? directionsIn(doc) : set),
    },
    props: {
      decorations(state) {
        return this.getState(state);
      },
    },
  });

function directionsIn(doc: Node): DecorationSet {
  const decorations: Decoration[] = [];
  const add = (parent: Node, start: number, around: Direction, inQuotation: boolean) =>
    parent.forEach((node, offset) => {
      if (!SIDED.has(node.type.name)) return;
      const at = start + offset;
      const quoted = inQuotation || node.type.name === 'blockquote';
      const direction = knownDirection(node, quoted) ?? around;
      if (direction !== around) decorations.push(Decoration.node(at, at + node.nodeSize, { dir: direction }));
      if (node.type.name !== 'table') add(node, at + 1, direction, quoted);
    });
  add(doc, 0, 'ltr', false);
  return decorations.length === 0 ? DecorationSet.empty : DecorationSet.create(doc, decorations);
}

/** Nodes do not change, so a key in a long text reads only the blocks around it again. */
const known = { first: new WeakMap<Node, Direction | null>(), most: new WeakMap<Node, Direction | null>() };

function knownDirection(node: Node, quoted: boolean): Direction | null {
  const cache = quoted ? known.most : known.first;
  const cached = cache.get(node);
  if (cached !== undefined) return cached;
  const direction = quoted ? (directionOf(textOf(node)) ?? null) : firstDirection(node);
  cache.set(node, direction);
  return direction;
}

/** The text of a node, without its formulas. */
const textOf = (node: Node): string => node.textBetween(0, node.content.size, ' ', '');

function firstDirection(node: Node): Direction | null {
  const rightToLeft = isRightToLeft(textOf(node));
  if (rightToLeft === null) return null;
  return rightToLeft ? 'rtl' : 'ltr';
}
