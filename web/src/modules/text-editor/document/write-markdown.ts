import type { AlignType, PhrasingContent, Root, RootContent } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown, type Options } from 'mdast-util-to-markdown';
import { cjkFriendlyToMarkdown } from 'mdast-util-to-markdown-cjk-friendly';
import type { Mark, Node } from 'prosemirror-model';
import { inlineTags } from '#libs/contract/inline-tags.js';
import { formulasIn } from './formula';
import { parseMarkdown } from './parse-markdown';
import { readBlocks } from './read-markdown';
import { schema, taggedMarks } from './schema';

const { nodes, marks } = schema;

/** A syntax tree node whose value is inline Markdown, written unchanged. */
interface Raw {
  type: 'raw';
  value: string;
  /** The TeX of a formula in a line. */
  tex?: string;
}

const writeRaw = Object.assign((node: Raw) => node.value, {
  peek: (node: Raw) => node.value.charAt(0),
});

const style: Options = {
  bullet: '-',
  bulletOther: '*',
  rule: '-',
  emphasis: '*',
  strong: '*',
  fence: '`',
  fences: true,
  listItemIndent: 'one',
  incrementListMarker: true,
  extensions: [cjkFriendlyToMarkdown(), gfmToMarkdown({ tablePipeAlign: false })],
  handlers: { raw: writeRaw } as Options['handlers'],
};

/** @param listMarker the marker for the items if the node is a list; must differ from the markers of adjacent lists */
export function writeBlock(node: Node, listMarker?: string): string {
  const options = { ...style, ...markerOption(node, listMarker) };
  const source = write(node, options);
  if (!/[$\\]/.test(source) || hasFormulasOf(node, source)) return source;
  const escaped = write(node, { ...options, unsafe: [{ character: '$', inConstruct: 'phrasing' }] });
  return hasFormulasOf(node, escaped) ? escaped : write(node, { ...options, ...unambiguous });
}

/** Escapes all dollars, and writes formulas such that they are ones beside any character. */
const unambiguous: Options = {
  unsafe: [{ character: '$', inConstruct: 'phrasing' }],
  handlers: {
    raw: Object.assign(({ value, tex }: Raw) => (tex === undefined ? value : `\\({${tex}}\\)`), {
      peek: ({ value, tex }: Raw) => (tex === undefined ? value.charAt(0) : '\\'),
    }),
  } as Options['handlers'],
};

function write(node: Node, options: Options): string {
  const writeTree = (tree: Tree) => {
    const root: Root = { type: 'root', children: [tree as RootContent] };
    return toMarkdown(root, options).replace(/\n+$/, '');
  };
  const source = writeTree(toMdast(node));
  if (!hasReferences(source)) return source;
  const isSame = (markdown: string) =>
    !hasReferences(markdown) && isEqual(readBlocks(markdown), readBlocks(source));
  const plain = source.replace(REFERENCE, (reference, code: string) => characterOf(code) ?? reference);
  if (isSame(plain)) return plain;
  const tagged = [isHard, () => true].map((isTagged) => writeTree(withTags(toMdast(node), isTagged)));
  return tagged.find(isSame) ?? source;
}

/** A character reference, which the writer puts in place of a letter beside marks that would be none there. */
const REFERENCE = /(?<!\\)&#x(10[\da-f]{4}|[\da-f]{1,5});/gi;

/** The letter of a reference; undefined for a space. */
function characterOf(code: string): string | undefined {
  const character = String.fromCodePoint(parseInt(code, 16));
  return character.trim() === '' ? undefined : character;
}

const hasReferences = (markdown: string) =>
  [...markdown.matchAll(REFERENCE)].some(([, code = '']) => characterOf(code) !== undefined);

const isEqual = (some: readonly Node[], others: readonly Node[]) =>
  some.length === others.length && some.every((node, index) => node.eq(others[index]!));

const EMPHASIS: Record<string, string> = { strong: 'strong', emphasis: 'em', delete: 'del' };

/** Replaces emphasis, of which `isTagged` is true, by tags, which are marks beside any character. */
function withTags(tree: Tree, isTagged: (emphasis: Tree, before?: Tree, after?: Tree) => boolean): Tree {
  if (!('children' in tree) || tree.children === undefined) return tree;
  const all = tree.children as Tree[];
  const children = all.flatMap((child, index) => {
    const inner = withTags(child, isTagged);
    const tag = EMPHASIS[child.type];
    if (tag === undefined || !isTagged(child, all[index - 1], all[index + 1])) return [inner];
    const html = (value: string): Tree => ({ type: 'html', value });
    return [
      html(`<${tag}>`),
      ...(('children' in inner && (inner.children as Tree[])) || []),
      html(`</${tag}>`),
    ];
  });
  return { ...tree, children };
}

/** True if emphasis begins or ends with a sign, such as a colon, next to a letter outside it. */
function isHard(emphasis: Tree, before?: Tree, after?: Tree): boolean {
  const isLetter = (text: string | undefined) => /^[^\s\p{P}\p{S}]$/u.test(text ?? '');
  return (
    (isLetter(edgeOf(before, -1)) && !isLetter(edgeOf(emphasis, 0))) ||
    (isLetter(edgeOf(after, 0)) && !isLetter(edgeOf(emphasis, -1)))
  );
}

/** The first (0) or last (-1) character of a text; undefined if the tree has a mark there. */
function edgeOf(tree: Tree | undefined, at: 0 | -1): string | undefined {
  if (tree === undefined) return undefined;
  if (tree.type === 'text') return Array.from((tree as { value?: string }).value ?? '').at(at);
  return EMPHASIS[tree.type] !== undefined && 'children' in tree
    ? edgeOf((tree.children as Tree[]).at(at), at)
    : undefined;
}

/** True if the Markdown has the formulas of the node, and no other. */
function hasFormulasOf(node: Node, markdown: string): boolean {
  const expected: string[] = [];
  const add = ({ type, attrs }: Node) => {
    if (type === nodes.math || type === nodes.math_block) expected.push(String(attrs['tex']));
  };
  add(node);
  node.descendants(add);
  const found = formulasIn(parseMarkdown(markdown));
  return (
    found.length === expected.length && found.every((tex, index) => letters(tex) === letters(expected[index]))
  );
}

const letters = (tex = '') => tex.replace(/^\{(.*)\}$/s, '$1').replace(/\s+/g, '');

function markerOption(node: Node, marker: string | undefined): Options {
  if (marker === undefined) return {};
  if (node.type === nodes.ordered_list) return { bulletOrdered: marker as Options['bulletOrdered'] };
  return {
    bullet: marker as Options['bullet'],
    bulletOther: marker === '*' ? '-' : '*',
  };
}

/** A looser type than mdast's, which don't allow some valid trees. */
type Tree = RootContent | { type: string; children?: Tree[] };

function toMdast(node: Node): Tree {
  const children = () => node.children.map(toMdast);
  const { attrs } = node;
  switch (node.type) {
    case nodes.paragraph:
      return { type: 'paragraph', children: phrasing(node) };
    case nodes.heading:
      return { type: 'heading', depth: attrs['level'] as 1, children: phrasing(node) };
    case nodes.blockquote:
      return { type: 'blockquote', children: children() };
    case nodes.code_block:
      return {
        type: 'code',
        lang: attrs['lang'] as string | null,
        meta: attrs['meta'] as string | null,
        value: node.textContent,
      };
    case nodes.math_block:
      return { type: 'raw', value: attrs['source'] as string } as Tree;
    case nodes.raw_block:
      return { type: 'html', value: node.textContent };
    case nodes.horizontal_rule:
      return { type: 'thematicBreak' };
    case nodes.bullet_list:
      return {
        type: 'list',
        ordered: false,
        spread: attrs['spread'] as boolean,
        children: children(),
      };
    case nodes.ordered_list:
      return {
        type: 'list',
        ordered: true,
        start: attrs['start'] as number,
        spread: attrs['spread'] as boolean,
        children: children(),
      };
    case nodes.list_item:
      return {
        type: 'listItem',
        checked: attrs['checked'] as boolean | null,
        spread: attrs['spread'] as boolean,
        children: children(),
      };
    case nodes.table: {
      const align = node.child(0).children.map((cell) => cell.attrs['align'] as AlignType);
      return { type: 'table', align, children: children() };
    }
    case nodes.table_row:
      return { type: 'tableRow', children: children() };
    default:
      return { type: 'tableCell', children: phrasing(node.child(0), true) };
  }
}

/** Marks that cover the same text are nested in this order, outermost first. */
const nesting = [
  marks.link,
  ...inlineTags.map((tag) => taggedMarks[tag]),
  marks.em,
  marks.strong,
  marks.strike,
];

/** The inline content of a text block, without spaces at the edges, which Markdown ignores. */
function phrasing(block: Node, inCell = false): PhrasingContent[] {
  return trimmed(nested(block.children, inCell, []));
}

/** Converts marks to nested nodes. If marks overlap, the longest mark becomes the outermost node. */
function nested(texts: readonly Node[], inCell: boolean, outer: readonly Mark[]): PhrasingContent[] {
  const content: PhrasingContent[] = [];
  for (let index = 0; index < texts.length;) {
    const text = texts[index] as Node;
    const open = nesting.flatMap((type) => type.isInSet(text.marks) ?? []);
    let mark: Mark | undefined;
    let end = index;
    for (const candidate of open.filter(({ type }) => !outer.some((other) => other.type === type))) {
      const reach = reachOf(candidate, texts, index);
      if (reach > end) [mark, end] = [candidate, reach];
    }
    if (mark === undefined) {
      content.push(leaf(text, inCell));
      index += 1;
    } else {
      content.push(...wrapped(mark, nested(texts.slice(index, end), inCell, [...outer, mark])));
      index = end;
    }
  }
  return content;
}

function reachOf(mark: Mark, texts: readonly Node[], start: number): number {
  let end = start + 1;
  while (end < texts.length && mark.isInSet(texts[end]?.marks ?? [])) end += 1;
  return end;
}

function wrapped(mark: Mark, children: PhrasingContent[]): PhrasingContent[] {
  if (mark.type === marks.link) {
    const { href, title } = mark.attrs as { href: string; title: string | null };
    return [{ type: 'link', url: href, title, children: children }];
  }
  const tag = inlineTags.find((name) => taggedMarks[name] === mark.type);
  if (tag !== undefined)
    return spacesOutside(children, (inside) => [
      { type: 'html', value: `<${tag}>` },
      ...inside,
      { type: 'html', value: `</${tag}>` },
    ]);
  const type = mark.type === marks.strong ? 'strong' : mark.type === marks.em ? 'emphasis' : 'delete';
  return spacesOutside(children, (inside) => [{ type, children: inside }]);
}

const isBreak = (node: PhrasingContent) =>
  node.type === 'break' || (node.type === 'html' && node.value === '<br>');

/** Moves spaces and line breaks at the edges of marked text outside the mark: Markdown doesn't parse `**bold **` as bold. */
function spacesOutside(
  children: PhrasingContent[],
  wrap: (inside: PhrasingContent[]) => PhrasingContent[],
): PhrasingContent[] {
  const start = children.findIndex((child) => !isBreak(child));
  if (start < 0) return children;
  const end = children.findLastIndex((child) => !isBreak(child)) + 1;
  if (start > 0 || end < children.length)
    return [
      ...children.slice(0, start),
      ...spacesOutside(children.slice(start, end), wrap),
      ...children.slice(end),
    ];
  const head = children[0];
  const tail = children.at(-1);
  let before = '';
  let after = '';
  if (head?.type === 'text') {
    before = /^\s*/.exec(head.value)?.[0] ?? '';
    head.value = head.value.slice(before.length);
  }
  if (tail?.type === 'text') {
    after = /\s*$/.exec(tail.value)?.[0] ?? '';
    tail.value = tail.value.slice(0, tail.value.length - after.length);
  }
  const inside = children.filter((child) => child.type !== 'text' || child.value !== '');
  return [...textOf(before), ...(inside.length > 0 ? wrap(inside) : []), ...textOf(after)];
}

const textOf = (value: string): PhrasingContent[] => (value === '' ? [] : [{ type: 'text', value }]);

interface ImageAttributes {
  src: string;
  alt: string;
  title: string | null;
}

const imageOf = ({ src, alt, title }: ImageAttributes): PhrasingContent => ({
  type: 'image',
  url: src,
  alt,
  title,
});

function leaf(node: Node, inCell: boolean): PhrasingContent {
  const { attrs } = node;
  if (node.type === nodes.hard_break) return inCell ? { type: 'html', value: '<br>' } : { type: 'break' };
  if (node.type === nodes.math) {
    const { source, tex } = attrs as { source: string; tex: string };
    // A `|` would end the cell.
    const [value, cellTex] = inCell
      ? [source, tex].map((text) => text.replace(/(?<!\\)\|/g, '\\vert '))
      : [source, tex];
    return { type: 'raw', value, tex: cellTex } as unknown as PhrasingContent;
  }
  if (node.type === nodes.image) return imageOf(attrs as ImageAttributes);
  const value = node.text ?? '';
  if (marks.raw.isInSet(node.marks))
    return { type: value.startsWith('<') ? 'html' : 'raw', value } as PhrasingContent;
  if (marks.code.isInSet(node.marks)) return { type: 'inlineCode', value };
  return { type: 'text', value };
}

/** Removes spaces at the edges of lines, which Markdown ignores and the writer would encode as `&#x20;`. */
function trimmed(content: PhrasingContent[]): PhrasingContent[] {
  return content.flatMap((node, index) => {
    if (node.type !== 'text') return [node];
    const startsLine = index === 0 || content[index - 1]?.type === 'break';
    const endsLine = index === content.length - 1 || content[index + 1]?.type === 'break';
    let { value } = node;
    if (startsLine) value = value.replace(/^[ \t]+/, '');
    if (endsLine) value = value.replace(/[ \t]+$/, '');
    return textOf(value);
  });
}
