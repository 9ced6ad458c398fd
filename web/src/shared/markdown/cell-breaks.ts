import type { Nodes } from 'mdast';

/** Converts `<br>` in table cells to line breaks, since Markdown has no other line break there. */
export const breakCells = (root: Nodes): void => breakWithin(root, false);

function breakWithin(node: Nodes, isInCell: boolean): void {
  if (!('children' in node)) return;
  const inCell = isInCell || node.type === 'tableCell';
  const children = node.children as Nodes[];
  for (const [index, child] of children.entries())
    if (inCell && child.type === 'html' && /^<br\s*\/?>$/i.test(child.value))
      children[index] = { type: 'break' };
    else breakWithin(child, inCell);
}
