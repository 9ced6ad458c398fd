/** The part of an HTML syntax tree that directions depend on. */
interface HtmlNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: HtmlNode[];
}

export type Direction = 'ltr' | 'rtl';

const LETTER = /\p{L}/u;
/** Letters of the scripts that run from right to left. */
export const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;
const BLOCKS = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote table th td pre'.split(' '));

/** Page references, such as “p. 3”, do not count as text of the quotation before them. */
function isPageLink({ tagName, properties }: HtmlNode): boolean {
  const href = properties?.['href'];
  return tagName === 'a' && typeof href === 'string' && href.startsWith('#');
}

/** True if the first letter of a text runs from right to left; null if the text has no letter. */
export function isRightToLeft(text: string): boolean | null {
  const letter = LETTER.exec(text)?.[0];
  return letter === undefined ? null : RIGHT_TO_LEFT.test(letter);
}

/** The direction of most letters of a text; undefined if it has none. */
export function directionOf(text: string): Direction | undefined {
  let [letters, rightToLeft] = [0, 0];
  for (const character of text) {
    if (!LETTER.test(character)) continue;
    letters += 1;
    if (RIGHT_TO_LEFT.test(character)) rightToLeft += 1;
  }
  if (letters === 0) return undefined;
  return rightToLeft * 2 >= letters ? 'rtl' : 'ltr';
}

/**
 * A rehype plugin: sets `dir` on blocks whose text runs in another direction than the block around them. Within a quotation, most
 * letters decide; elsewhere the first letter, as in HTML. `dir="auto"` on every block would not do, since an element with it
 * ignores the text of elements inside that have it too.
 */
export const setDirections = () => (root: HtmlNode) => setDirection(root, 'ltr', false);

function setDirection(node: HtmlNode, around: Direction, inQuotation: boolean): void {
  const { tagName = '', properties = {}, children = [] } = node;
  const quoted = inQuotation || tagName === 'blockquote';
  let direction = around;
  if (isPageLink(node)) properties['dir'] = 'ltr';
  else if (BLOCKS.has(tagName)) {
    const text = textOf(node);
    direction =
      tagName === 'pre' ? 'ltr' : (directionOf(quoted ? text : (LETTER.exec(text)?.[0] ?? '')) ?? around);
    if (direction !== around) properties['dir'] = direction;
  }
  for (const child of children) setDirection(child, direction, quoted);
}

function isFormula({ properties }: HtmlNode): boolean {
  const names = properties?.['className'];
  return Array.isArray(names) && names.includes('language-math');
}

function textOf(node: HtmlNode): string {
  if (isPageLink(node) || isFormula(node)) return '';
  return node.value ?? (node.children ?? []).map(textOf).join('');
}
