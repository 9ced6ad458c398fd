import type { List, Nodes, Root } from 'mdast';
import { plainScript } from '#libs/contract/inline-tags.js';
import { footnotesOf, inlineTexts, parseForExport, type Block } from './parse-for-export';

/** Converts Markdown to plain text. Each link is followed by its address. */
export function toText(markdown: string): string {
  const root = parseForExport(markdown);
  const notes = footnotesOf(root).map(({ children }, index) => `[${index + 1}] ${blocks(children, root)}`);
  return `${[blocks(root.children, root), ...notes].filter(Boolean).join('\n\n')}\n`;
}

const blocks = (nodes: readonly Block[], root: Root, between = '\n\n'): string =>
  nodes
    .map((node) => block(node, root))
    .filter((text) => text !== '')
    .join(between);

function block(node: Block, root: Root): string {
  switch (node.type) {
    case 'heading':
    case 'paragraph':
      return line(node.children, root);
    case 'blockquote':
      return blocks(node.children, root).replace(/^(?=.)/gm, '> ');
    case 'list':
      return list(node, root);
    case 'table':
      return node.children
        .map(({ children }) =>
          children.map((cell) => line(cell.children, root).replaceAll('\n', ' ')).join('\t'),
        )
        .join('\n');
    case 'code':
    case 'math':
    case 'html':
      return node.value;
    case 'thematicBreak':
      return '* * *';
    default:
      return '';
  }
}

function list({ ordered, start, spread, children }: List, root: Root): string {
  const items = children.map((item, index) => {
    const mark = ordered ? `${(start ?? 1) + index}. ` : '- ';
    const task = item.checked == null ? '' : item.checked ? '[x] ' : '[ ] ';
    const text = blocks(item.children, root, item.spread ? '\n\n' : '\n');
    return mark + (task + text).replace(/\n(?=.)/g, `\n${' '.repeat(mark.length)}`);
  });
  return items.join(spread ? '\n\n' : '\n');
}

/** Converts inline content to text. A link of several texts, such as partly bold, gets its address once, at the end. */
function line(nodes: readonly Nodes[], root: Root): string {
  const texts = inlineTexts(nodes, root);
  return texts
    .map(({ text: own, link, note, picture, sup, sub }, index) => {
      if (note !== undefined) return `[${note}]`;
      if (sup || sub) return plainScript(own, sup ? 'sup' : 'sub');
      const text = picture === undefined ? own : `[${own}]`;
      const isLast = link !== undefined && texts[index + 1]?.link !== link;
      const address = link?.replace(/^mailto:/i, '');
      return isLast && address !== text ? `${text} (${address})` : text;
    })
    .join('');
}
