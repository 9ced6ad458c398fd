import type { Nodes } from 'mdast';

const LINES = new Set([
  'paragraph',
  'heading',
  'tableCell',
  'emphasis',
  'strong',
  'delete',
  'link',
  'tagged',
]);

/** Joins texts and tags that are shown as they are written: browsers lay out 100,000 separate ones in many seconds. */
export function joinTexts(node: Nodes): void {
  if (!('children' in node)) return;
  const children = node.children as Nodes[];
  children.forEach(joinTexts);
  if (!LINES.has(node.type)) return;
  const joined: Nodes[] = [];
  for (const child of children) {
    const last = joined.at(-1);
    if (child.type !== 'text' && child.type !== 'html') joined.push(child);
    else if (last?.type === 'text') last.value += child.value;
    else joined.push({ ...child, type: 'text' });
  }
  node.children = joined as typeof node.children;
}
