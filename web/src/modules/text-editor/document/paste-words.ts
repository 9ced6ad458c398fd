import { BLOCKS_OF_CELL } from './flatten-table';

const BLOCKS = `${BLOCKS_OF_CELL}, td, th, table, body`;

/** True if the node's block has text or an image before (or after) the node. */
export function hasWords(node: Node, side: 'previousSibling' | 'nextSibling'): boolean {
  for (let sibling = node[side]; sibling !== null; sibling = sibling[side]) {
    if (sibling instanceof Element && sibling.matches(BLOCKS)) return false;
    if (sibling instanceof Element && (sibling.matches('img, input') || sibling.querySelector('img, input')))
      return true;
    if (sibling.textContent?.trim()) return true;
  }
  const parent = node.parentElement;
  return parent !== null && !parent.matches(BLOCKS) && hasWords(parent, side);
}
