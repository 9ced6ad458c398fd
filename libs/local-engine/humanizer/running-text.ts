import type { Nodes } from 'mdast';
import { quotationsIn } from '#libs/local-engine/text/facts/quotations.js';
import { parseBounded } from '#libs/local-engine/text/prose.js';
import type { Edit } from './phrase-edits.js';

/**
 * Where a paragraph's source may be edited: its words, but not those of links, images, code, HTML and quotations.
 * @returns a test for an edit
 */
export function editableIn(paragraph: string): (edit: Edit) => boolean {
  const open: { start: number; end: number }[] = [];
  const visit = (node: Nodes) => {
    if (node.type === 'text') {
      open.push({ start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 });
    } else if (!/^link|^image/.test(node.type) && 'children' in node) {
      node.children.forEach(visit);
    }
  };
  visit(parseBounded(paragraph));
  const quotations = quotationsIn(paragraph);
  return ({ start, end }) =>
    open.some((range) => range.start <= start && end <= range.end) &&
    quotations.every((quotation) => end <= quotation.start || quotation.end <= start);
}
