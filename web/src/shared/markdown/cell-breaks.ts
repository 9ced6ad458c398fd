import type { Nodes } from 'mdast';

/** Converts `<br>` in table cells to line breaks. In cells, Markdown has no other way to write a line break. */
export const breakCells = (root: Nodes): void => breakWithin(root, false);

function breakWithin(node: Nodes, isInCell: boolean): void {
  if (!('children' in node)) return;
  const inCell = isInCell || node.type === 'tableCell';
  const children = node.children as Nodes[];
  for (const [index, child] of children.entries())
    if (inCell && child.type === 'html' && /^<br\s*\/?>$/i.test(child.value))
      children[index] = { type: 'break', ...(child.position && { position: child.position }) };
    else breakWithin(child, inCell);
}
