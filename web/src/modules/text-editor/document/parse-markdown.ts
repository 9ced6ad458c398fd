import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { readInlineTags } from '#libs/contract/inline-tags.js';
import { endLiteralLinks } from '#libs/contract/literal-links.js';
import { markdownSyntax, markdownTree } from '#libs/contract/markdown-syntax.js';

export function parseMarkdown(markdown: string): Root {
  const root = fromMarkdown(markdown, { extensions: markdownSyntax(), mdastExtensions: markdownTree() });
  readInlineTags(root);
  endLiteralLinks(root);
  return root;
}
