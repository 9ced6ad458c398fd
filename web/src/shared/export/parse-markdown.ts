import type { Definition, Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Parses Markdown as the page shows it. */
export const parseMarkdown = (text: string): Root =>
  fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/** How a stretch of text is set. */
export interface TextStyle {
  bold?: boolean;
  italics?: boolean;
  strike?: boolean;
  code?: boolean;
  /** The address of a link. */
  link?: string;
}

export interface Stretch extends TextStyle {
  text: string;
}

/** Only what a reader may be led to from a file. */
const SAFE = /^(https?:|mailto:)/i;

/** A paragraph's content as stretches of equal style. Raw HTML stays text, a picture is its link. */
export function stretchesOf(nodes: readonly Nodes[], root: Root, style: TextStyle = {}): Stretch[] {
  return nodes.flatMap((node): Stretch[] => {
    const inner = (more: TextStyle) =>
      'children' in node ? stretchesOf(node.children, root, { ...style, ...more }) : [];
    switch (node.type) {
      case 'text':
        return [{ ...style, text: node.value.replace(/\s*\n\s*/g, ' ') }];
      case 'html':
        return [{ ...style, text: node.value }];
      case 'inlineCode':
        return [{ ...style, code: true, text: node.value }];
      case 'break':
        return [{ ...style, text: '\n' }];
      case 'strong':
        return inner({ bold: true });
      case 'emphasis':
        return inner({ italics: true });
      case 'delete':
        return inner({ strike: true });
      case 'link':
        return inner(linkTo(node.url));
      case 'linkReference':
        return inner(linkTo(definitionOf(root, node.identifier)?.url));
      case 'image':
        return [{ ...style, ...linkTo(node.url), text: node.alt || 'Image' }];
      default:
        return inner({});
    }
  });
}

const linkTo = (url: string | undefined): TextStyle =>
  url !== undefined && SAFE.test(url) ? { link: url } : {};

const definitionOf = (root: Root, identifier: string): Definition | undefined =>
  root.children.find((node) => node.type === 'definition' && node.identifier === identifier) as
    Definition | undefined;
