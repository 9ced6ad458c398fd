import type { Nodes, Root } from 'mdast';
import { micromark, type Options } from 'micromark';
import { gfmHtml } from 'micromark-extension-gfm';
import type { Tagged } from '#libs/contract/inline-tags.js';
import { hasTooManyFormulas } from '#libs/contract/markdown-math.js';
import { isWithinMarkdownLimits } from '#libs/contract/markdown.js';
import { markdownSyntax } from '#libs/contract/markdown-syntax.js';
import { diagramAlt } from '../../../shared/markdown/diagrams/diagram-alt';
import { isOwnImage } from '../../../shared/markdown/own-image';
import { formulasIn } from '../document/formula';
import { detectLanguage } from './detect-language';
import { languageOf } from './language-of';
import { dataUrlOf, diagramKey, readOwnImages } from './own-images';
import { parseForExport } from './parse-for-export';

const STYLE = `body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1.0625rem/1.6 Georgia, serif; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; }
img { max-width: 100%; height: auto; }
pre { padding: 1rem; overflow-x: auto; background: #f3eee5; }
blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid #c23b1c; }
table { border-collapse: collapse; }
th, td { padding: 0.25rem 0.75rem; border: 1px solid #c9c2b6; }
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (prefers-color-scheme: dark) { html { color-scheme: dark; } pre { background: #2e2b26; } }`;

/**
 * Converts Markdown to an HTML page without scripts and with embedded images. Raw HTML is escaped; images of other servers
 * become links.
 */
export async function toHtml(markdown: string, title: string): Promise<string> {
  const root = parseForExport(markdown);
  const pictures = await readOwnImages(root);
  const page = pageOf(markdown, root, await formulaWriter(markdown, root), (path) => {
    const picture = pictures.get(path);
    return picture && dataUrlOf(picture);
  });
  for (const code of page.querySelectorAll('pre > code.language-mermaid')) {
    const picture = pictures.get(diagramKey({ lang: 'mermaid', value: code.textContent }));
    if (picture === undefined) continue;
    const image = Object.assign(page.createElement('img'), {
      src: dataUrlOf(picture),
      alt: diagramAlt(code.textContent),
    });
    image.width = picture.width;
    code.parentElement?.replaceWith(image);
  }
  page.documentElement.lang = (await detectLanguage(markdown)) ?? languageOf(markdown) ?? '';
  const add = (tag: string, fields: object) =>
    page.head.append(Object.assign(page.createElement(tag), fields));
  page.head.append(page.createElement('meta'));
  page.head.firstElementChild?.setAttribute('charset', 'utf-8');
  add('meta', { name: 'viewport', content: 'width=device-width' });
  add('title', { textContent: title });
  add('style', { textContent: STYLE });
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
}

/** Converts Markdown to HTML for the clipboard. Images of this server have absolute addresses. */
export async function toHtmlFragment(markdown: string): Promise<string> {
  const root = parseForExport(markdown);
  const page = pageOf(markdown, root, await formulaWriter(markdown, root), (path) =>
    isOwnImage(path) ? `${location.origin}${path}` : undefined,
  );
  return page.body.innerHTML;
}

/** @param addressOf the address of an image's file, for its path; undefined if the page cannot show it */
function pageOf(
  markdown: string,
  root: Root,
  formula: WriteFormula,
  addressOf: (path: string) => string | undefined,
): Document {
  // DOMParser doesn't load images or run scripts.
  const page = new DOMParser().parseFromString(bodyOf(markdown, root, formula), 'text/html');
  for (const block of page.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6, p, li, blockquote, th, td'))
    block.dir = 'auto';
  for (const image of page.querySelectorAll('img')) {
    const path = image.getAttribute('src') ?? '';
    const address = addressOf(path);
    if (address !== undefined) image.src = address;
    else image.replaceWith(isOwnImage(path) ? image.alt : linkTo(page, path, image.alt));
  }
  return page;
}

/** Converts Markdown to HTML. In text over the Markdown limits, all marks are escaped, so it stays as written. */
const bodyOf = (markdown: string, root: Root, formula: WriteFormula): string =>
  isWithinMarkdownLimits(markdown)
    ? micromark(markdown, {
        extensions: markdownSyntax(),
        htmlExtensions: [gfmHtml(), tagsHtml(root), mathHtml(formula)],
      })
    : micromark(markdown.replace(/[!-/:-@[-`{-~]/g, '\\$&'));

/** Writes tags of the syntax tree as HTML, in place of text: those in pairs, and `<br>` in cells, which have no other line break. */
function tagsHtml(root: Root): NonNullable<Options['htmlExtensions']>[number] {
  const offsets = new Set<number>();
  const read = (node: Nodes | Tagged, isInCell = false) => {
    if (isInCell && node.type === 'break') offsets.add(node.position?.start.offset ?? -1);
    if (node.type === 'tagged') {
      offsets.add(node.position?.start.offset ?? -1);
      offsets.add((node.position?.end.offset ?? -1) - `</${node.tag}>`.length);
    }
    if ('children' in node)
      for (const child of node.children) read(child, isInCell || node.type === 'tableCell');
  };
  read(root);
  return {
    exit: {
      htmlTextData(token) {
        const source = this.sliceSerialize(token);
        if (offsets.has(token.start.offset)) this.tag(source);
        else this.raw(this.encode(source));
      },
    },
  };
}

type WriteFormula = (tex: string, display: boolean) => string;

/** Writes formulas as MathML, and as TeX if the TeX is wrong. */
async function formulaWriter(markdown: string, root: Root): Promise<WriteFormula> {
  const source = (tex: string) => {
    const code = document.createElement('code');
    code.textContent = tex;
    return code.outerHTML;
  };
  if (formulasIn(root).length === 0 || hasTooManyFormulas(markdown)) return source;
  const { formulaMathml } = await import('../../../shared/markdown/formulas/formula-mathml');
  return (tex, display) => {
    try {
      return formulaMathml(tex, display);
    } catch {
      return source(tex);
    }
  };
}

function mathHtml(write: WriteFormula): NonNullable<Options['htmlExtensions']>[number] {
  return {
    enter: {
      mathFlow() {
        this.buffer();
      },
      mathText() {
        this.buffer();
      },
    },
    exit: {
      mathFlow() {
        this.tag(`<p>${write(this.resume().trim(), true)}</p>`);
      },
      mathText(token) {
        const display = /^(?:\$\$|\\\[)/.test(this.sliceSerialize(token));
        this.tag(write(this.resume().trim(), display));
      },
      mathData(token) {
        this.raw(this.sliceSerialize(token));
      },
    },
  };
}

const linkTo = (page: Document, href: string, alt: string): HTMLElement =>
  Object.assign(page.createElement('a'), { href, textContent: alt || 'Image' });
