import type {
  BlockContent,
  Definition,
  DefinitionContent,
  FootnoteDefinition,
  Nodes,
  Paragraph,
  Root,
} from 'mdast';
import type { InlineTag, Tagged } from '#libs/contract/inline-tags.js';
import type { InlineMath } from '#libs/contract/markdown-math.js';
import { isWithinMarkdownLimits } from '#libs/contract/markdown.js';
import { breakCells } from '../../../shared/markdown/cell-breaks';
import { isOwnImage } from '../../../shared/markdown/own-image';
import { parseMarkdown } from '../document/parse-markdown';

export type Block = Root['children'][number] | BlockContent | DefinitionContent;

/** Parses Markdown with the limits of the page. Text over the limits becomes plain paragraphs. */
export function parseForExport(text: string): Root {
  if (!isWithinMarkdownLimits(text)) return { type: 'root', children: text.split('\n\n').map(paragraphOf) };
  const root = parseMarkdown(text);
  breakCells(root);
  return root;
}

/** Removes what XML, and so a Word file, cannot have: control characters, U+FFFE, U+FFFF and lone surrogates. */
export const xmlText = (text: string): string =>
  text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');

const paragraphOf = (value: string): Paragraph => ({
  type: 'paragraph',
  children: [{ type: 'text', value }],
});

export interface TextStyle {
  bold?: boolean;
  italics?: boolean;
  strike?: boolean;
  code?: boolean;
  sup?: boolean;
  sub?: boolean;
  underline?: boolean;
  highlight?: boolean;
  link?: string;
}

export interface InlineText extends TextStyle {
  text: string;
  /** Path of the image on this server, if the text is an image. */
  picture?: string;
  /** TeX of the formula, if the text is one. */
  tex?: string;
  /** The formula in the syntax tree. */
  math?: InlineMath;
  /** Number of the footnote, if the text is a footnote mark. */
  note?: number;
}

const tagStyles: Record<InlineTag, TextStyle> = {
  sup: { sup: true, sub: false },
  sub: { sub: true, sup: false },
  u: { underline: true },
  mark: { highlight: true },
  strong: { bold: true },
  em: { italics: true },
  del: { strike: true },
};

/** The protocols allowed in links. */
const SAFE_PROTOCOL = /^(https?:|mailto:)/i;

/** Flattens inline content to texts with one style each. Raw HTML stays text; images of other servers become links. */
export function inlineTexts(
  nodes: readonly (Nodes | Tagged)[],
  root: Root,
  style: TextStyle = {},
): InlineText[] {
  return nodes.flatMap((node): InlineText[] => {
    const inner = (more: TextStyle) =>
      'children' in node ? inlineTexts(node.children, root, { ...style, ...more }) : [];
    switch (node.type) {
      case 'text':
        return [{ ...style, text: node.value.replace(/(?<!\s)\s*\n\s*/g, ' ') }];
      case 'html':
        return [{ ...style, text: node.value }];
      case 'inlineCode':
        return [{ ...style, code: true, text: node.value }];
      case 'inlineMath':
        return [{ ...style, text: node.value, tex: node.value, math: node }];
      case 'break':
        return [{ ...style, text: '\n' }];
      case 'strong':
        return inner({ bold: true });
      case 'emphasis':
        return inner({ italics: true });
      case 'delete':
        return inner({ strike: true });
      case 'tagged':
        return inner(tagStyles[node.tag]);
      case 'link':
        return inner(linkTo(node.url));
      case 'linkReference':
        return inner(linkTo(definitionOf(root, node.identifier)?.url));
      case 'footnoteReference': {
        const note = footnotesOf(root).findIndex(({ identifier }) => identifier === node.identifier) + 1;
        return [note > 0 ? { ...style, note, text: String(note) } : { ...style, text: `[^${node.label}]` }];
      }
      case 'image':
        return [
          {
            ...style,
            ...(isOwnImage(node.url) ? { picture: node.url } : style.link === undefined && linkTo(node.url)),
            text: node.alt || 'Image',
          },
        ];
      default:
        return inner({});
    }
  });
}

const footnotes = new WeakMap<Root, FootnoteDefinition[]>();

/** The footnotes that the text references, in the order of their first reference. */
export function footnotesOf(root: Root): FootnoteDefinition[] {
  const known = footnotes.get(root);
  if (known) return known;
  const defined = root.children.filter((node) => node.type === 'footnoteDefinition');
  const named = new Set<string>();
  const read = (node: Nodes) => {
    if (node.type === 'footnoteReference') named.add(node.identifier);
    if ('children' in node) node.children.forEach(read);
  };
  root.children.filter((node) => node.type !== 'footnoteDefinition').forEach(read);
  const found = [...named].flatMap((name) => defined.find(({ identifier }) => identifier === name) ?? []);
  footnotes.set(root, found);
  return found;
}

const linkTo = (url: string | undefined): TextStyle =>
  url !== undefined && SAFE_PROTOCOL.test(url) ? { link: url } : {};

const definitionOf = (root: Root, identifier: string): Definition | undefined =>
  root.children.find((node) => node.type === 'definition' && node.identifier === identifier) as
    Definition | undefined;
