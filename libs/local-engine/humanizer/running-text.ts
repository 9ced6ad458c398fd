import type { Nodes } from 'mdast';
import { quotationsIn } from '#libs/local-engine/text/facts/quotations.js';
import { parseCached } from '#libs/local-engine/text/prose.js';
import type { Edit } from './phrase-edits.js';

/**
 * True if an edit is within the words of a paragraph, outside of links, images, code, HTML and quotations.
 */
export function editableIn(paragraph: string): (edit: Edit) => boolean {
  const ranges: { start: number; end: number }[] = [];
  const visit = (node: Nodes) => {
    if (node.type === 'text') {
      ranges.push({ start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 });
    } else if (!/^link|^image/.test(node.type) && 'children' in node) {
      node.children.forEach(visit);
    }
  };
  visit(parseCached(paragraph));
  const quotations = quotationsIn(paragraph);
  return ({ start, end }) =>
    ranges.some((range) => range.start <= start && end <= range.end) &&
    quotations.every((quotation) => end <= quotation.start || quotation.end <= start);
}
