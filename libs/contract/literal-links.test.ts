import { expect, it } from '@jest/globals';
import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { endLiteralLinks } from './literal-links.js';
import { markdownSyntax, markdownTree } from './markdown-syntax.js';

function linksIn(markdown: string): string[] {
  const root = fromMarkdown(markdown, { extensions: markdownSyntax(), mdastExtensions: markdownTree() });
  endLiteralLinks(root);
  const links = (node: Nodes): string[] =>
    node.type === 'link' ? [node.url] : 'children' in node ? node.children.flatMap(links) : [];
  return links(root);
}

it.each([
  ['- “Der Teig (vgl. https://de.example/wiki/S#Führung).” [3]', 'https://de.example/wiki/S#Führung'],
  ['见https://example.com/a。再来', 'https://example.com/a'],
  ['„**www.example.com“**', 'http://www.example.com'],
  ['“see https://a.example/b_(c)”', 'https://a.example/b_(c)'],
  ['“(see https://a.example/b_(c).).”', 'https://a.example/b_(c)'],
  ['https://a.example/it’s', 'https://a.example/it’s'],
  ['https://zh.example/wiki/中文', 'https://zh.example/wiki/中文'],
  ['<https://a.example/“b”>', 'https://a.example/“b”'],
  ['[“b”](https://a.example/“b”)', 'https://a.example/“b”'],
])('ends the address in %s', (markdown, url) => {
  expect(linksIn(markdown)).toEqual([url]);
});

it('ends an address before 20,000 brackets', () => {
  const value = `https://a.b/${')'.repeat(20_000)}”x`;
  const point = { line: 1, column: 1, offset: 0 };
  const position = { start: point, end: { ...point, offset: value.length } };
  const root: Root = {
    type: 'root',
    children: [
      {
        type: 'paragraph',
        children: [{ type: 'link', url: value, children: [{ type: 'text', value }], position }],
      },
    ],
  };
  endLiteralLinks(root);
  expect(root.children).toMatchObject([
    { children: [{ url: 'https://a.b/' }, { value: value.slice('https://a.b/'.length) }] },
  ]);
});
