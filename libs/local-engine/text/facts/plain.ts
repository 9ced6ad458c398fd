import type { Nodes } from 'mdast';
import { parseBounded } from '../prose.js';
import type { Fact } from './fact.js';

/** Stands where something was taken out of a text, so that its neighbours do not join. */
export const GAP = '\uFFFC';

/**
 * The text of Markdown as it is read, and apart from it what has a form of its own: links, code, HTML. In the text a
 * gap stands for each of these; the words of a link are text.
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
      case 'html':
        take('code', node.value);
        break;
      case 'link': {
        const words = markdown.slice(node.position?.start.offset, node.position?.end.offset);
        take('link', node.url);
        // An address that is its own text has no words.
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
  visit(parseBounded(markdown));
  return { plain, facts };
}

const isBlock = ({ type }: Nodes) => type === 'paragraph' || type === 'heading' || type === 'tableCell';
