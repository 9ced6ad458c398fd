import type { List, Nodes, PhrasingContent, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { markdownSyntax, markdownTree } from '#libs/contract/markdown-syntax.js';
import type { Block } from './blocks.js';
import type { FileDetails } from './file-reading.js';
import { htmlBlocks } from './html-blocks.js';

const FRONT_MATTER = /^---[^\S\n]*\n([\s\S]*?)\n(?:---|\.\.\.)[^\S\n]*(?:\n|$)/;

/** The blocks of a Markdown text, without its marks. */
export function markdownBlocks(source: string): { blocks: Block[]; details: FileDetails } {
  const text = source.replace(/\r\n?/g, '\n').replace(/^\ufeff/, '');
  const matter = FRONT_MATTER.exec(text);
  const tree = fromMarkdown(text.slice(matter?.[0].length ?? 0), {
    extensions: markdownSyntax(),
    mdastExtensions: markdownTree(),
  });
  const blocks = tree.children.flatMap(blocksOf);
  const field = (name: string) =>
    new RegExp(`^${name}:[^\\S\\n]*["']?(.*?)["']?[^\\S\\n]*$`, 'im').exec(matter?.[1] ?? '')?.[1] ||
    undefined;
  const first = blocks.find(({ kind }) => kind === 'heading');
  return {
    blocks,
    details: {
      title: field('title') ?? (first?.kind === 'heading' && first.level === 1 ? first.text : undefined),
      author: field('author'),
      created: field('date'),
      language: field('lang'),
    },
  };
}

function blocksOf(node: RootContent): Block[] {
  switch (node.type) {
    case 'heading':
      return [{ kind: 'heading', text: phrase(node.children), level: node.depth }];
    case 'paragraph':
      return [{ kind: 'paragraph', text: phrase(node.children) }];
    case 'list':
      return listBlocks(node);
    case 'blockquote':
      return node.children.flatMap(blocksOf);
    case 'code':
    case 'math':
      return [{ kind: 'paragraph', text: node.value }];
    case 'table':
      return [
        {
          kind: 'table',
          rows: node.children.map((row) => row.children.map((cell) => phrase(cell.children))),
        },
      ];
    case 'html':
      return htmlBlocks(node.value).blocks;
    case 'footnoteDefinition': {
      const text = node.children
        .flatMap(blocksOf)
        .map((block) => ('text' in block ? block.text : ''))
        .join(' ');
      return [{ kind: 'paragraph', text: `[Note ${node.label ?? node.identifier}: ${text}]` }];
    }
    default:
      return [];
  }
}

const listBlocks = ({ children, ordered, start }: List): Block[] =>
  children.flatMap((item, index) => {
    const box = item.checked === true ? '☑ ' : item.checked === false ? '☐ ' : '';
    const mark = `${ordered ? `${(start ?? 1) + index}.` : '•'} ${box}`;
    return item.children.flatMap(blocksOf).map((block, position): Block => {
      if (position > 0 || !('text' in block))
        return block.kind === 'paragraph' ? { ...block, kind: 'item' } : block;
      return { kind: 'item', text: mark + block.text };
    });
  });

const phrase = (nodes: readonly (PhrasingContent | Nodes)[]): string => nodes.map(phraseText).join('');

function phraseText(node: PhrasingContent | Nodes): string {
  switch (node.type) {
    case 'break':
      return '\n';
    case 'text':
      return node.value.replaceAll('\n', ' ');
    case 'inlineCode':
    case 'inlineMath':
      return node.value;
    case 'html':
      return /^<br\b/i.test(node.value) ? '\n' : '';
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    case 'footnoteReference':
      return ` [${node.label ?? node.identifier}]`;
    default:
      return 'children' in node ? phrase(node.children) : '';
  }
}
