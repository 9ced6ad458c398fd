import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { readInlineTags, type InlineTag, type Tagged } from '#libs/contract/inline-tags.js';
import { endLiteralLinks } from '#libs/contract/literal-links.js';
import { markdownSyntax, markdownTree } from '#libs/contract/markdown-syntax.js';

export function parseMarkdown(markdown: string): Root {
  const root = fromMarkdown(markdown, { extensions: markdownSyntax(), mdastExtensions: markdownTree() });
  readInlineTags(root);
  flattenScripts(root);
  endLiteralLinks(root);
  return root;
}

/** Writes a script within another one with a sign, as in `10^100`: the editor and files have one level of them. */
function flattenScripts(root: Nodes, isInScript = false): void {
  if (!('children' in root)) return;
  root.children = (root.children as (Nodes | Tagged)[]).flatMap((node): Nodes[] => {
    const sign = node.type === 'tagged' ? SIGNS[node.tag] : undefined;
    flattenScripts(node as Nodes, isInScript || sign !== undefined);
    if (sign === undefined || !isInScript) return [node as Nodes];
    const [only, another] = (node as Tagged).children;
    const isWord = only?.type === 'text' && !another && /^[\p{L}\p{N}]+$/u.test(only.value);
    const text = (value: string): Nodes => ({ type: 'text', value });
    return [text(isWord ? sign : `${sign}(`), ...(node as Tagged).children, ...(isWord ? [] : [text(')')])];
  }) as typeof root.children;
}

const SIGNS: Partial<Record<InlineTag, string>> = { sup: '^', sub: '_' };
