import type { Nodes } from 'mdast';
import { parseCached } from '../prose.js';
import type { Fact } from './fact.js';

/** A placeholder for removed text, so that its neighbours do not join. */
export const GAP = '\uFFFC';

/**
 * Splits Markdown into its plain text and its links, code and HTML, for which the plain text has a gap. The words of a
 * link are plain text.
 */
export function plainOf(markdown: string): { plain: string; facts: Fact[] } {
  const facts: Fact[] = [];
  let plain = '';
  const take = (kind: Fact['kind'], key: string) => {
    facts.push({ kind, key, text: key, weak: false });
    plain += GAP;
  };
  const visit = (node: Nodes) => {
    switch (node.type) {
      case 'text':
        plain += node.value;
        break;
      case 'code':
      case 'inlineCode':
      case 'math':
      case 'inlineMath':
      case 'html':
        take('code', node.value);
        break;
      case 'link': {
        const words = markdown.slice(node.position?.start.offset, node.position?.end.offset);
        take('link', node.url);
        // An autolink has no words.
        if (words.startsWith('[')) node.children.forEach(visit);
        break;
      }
      case 'image':
        take('link', node.url);
        plain += node.alt ?? '';
        break;
      case 'linkReference':
        take('link', `[${node.identifier}]`);
        node.children.forEach(visit);
        break;
      case 'imageReference':
      case 'footnoteReference':
        take('link', `[${node.identifier}]`);
        break;
      case 'definition':
        take('link', node.url);
        break;
      case 'break':
        plain += '\n';
        break;
      default:
        if ('children' in node) node.children.forEach(visit);
        if (isBlock(node)) plain += '\n\n';
    }
  };
  visit(parseCached(markdown));
  return { plain, facts };
}

const isBlock = ({ type }: Nodes) => type === 'paragraph' || type === 'heading' || type === 'tableCell';
