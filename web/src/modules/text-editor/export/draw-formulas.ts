import type { Nodes, Root } from 'mdast';
import type { Math as BlockMath } from '#libs/contract/markdown-math.js';
import { svgToPng, toBase64, type EmbeddedImage } from './own-images';

/** Drawing more would take seconds. The others are written as text. */
const MAX_DRAWN = 100;
/** KaTeX typesets at 1.21 times this: 11 points, the size of the text. */
const FONT_SIZE = '12.2px';
/** Pixels of a picture for each of its own, for print. */
const SCALE = 4;
/** Width of a page in pixels. A formula with a number at the right fills it. */
const PAGE_WIDTH = 610;
/** Wider formulas would be too small; as text they have several lines. */
const MAX_WIDTH = 1.5 * PAGE_WIDTH;
/** Pixels around a formula, since accents and integrals reach beyond its box. */
const PADDING = 3;

const formulasOf = (node: Nodes): BlockMath[] =>
  node.type === 'math' ? [node] : 'children' in node ? node.children.flatMap(formulasOf) : [];

/**
 * Draws the formulas on lines of their own. Wrong and too wide ones are missing, and all in a browser that cannot draw
 * HTML in SVG.
 */
export async function drawFormulas(root: Root): Promise<Map<Nodes, EmbeddedImage>> {
  const pictures = new Map<Nodes, EmbeddedImage>();
  const formulas = formulasOf(root).slice(0, MAX_DRAWN);
  if (formulas.length === 0) return pictures;
  const { formulaHtml } = await import('../../../shared/markdown/formulas/formula-html');
  const styles = new KatexStyles();
  let numbers = 0;
  const nextNumber = () => (numbers += 1);
  for (const node of formulas) {
    const picture = await draw(formulaHtml, node.value, styles, nextNumber).catch(() => null);
    if (picture) pictures.set(node, picture);
  }
  return pictures;
}

async function draw(
  formulaHtml: (tex: string, display: boolean) => string,
  tex: string,
  styles: KatexStyles,
  nextNumber: () => number,
): Promise<EmbeddedImage> {
  const place = document.createElement('div');
  place.style.cssText = `position: absolute; left: -9999px; top: 0; box-sizing: border-box; padding: ${PADDING}px; font-size: ${FONT_SIZE}; line-height: 1.2; color: black; white-space: nowrap`;
  // KaTeX escapes the text of the formula.
  place.innerHTML = formulaHtml(tex, true);
  place.querySelector<HTMLElement>('.katex-display')!.style.margin = '0';
  place.querySelector('.katex-mathml')?.remove();
  if (place.querySelector('.katex-tag')) place.style.width = `${PAGE_WIDTH}px`;
  // KaTeX's styles count them in a page; a picture begins at 1.
  for (const number of place.querySelectorAll('.eqn-num')) number.textContent = `(${nextNumber()})`;
  document.body.append(place);
  try {
    const families = new Set(
      Array.from(
        place.querySelectorAll('.katex, .katex *'),
        (element) => getComputedStyle(element).fontFamily,
      ),
    );
    const css = await styles.of([...families].join());
    await document.fonts.ready;
    const width = Math.ceil(place.getBoundingClientRect().width);
    const height = Math.ceil(place.getBoundingClientRect().height);
    if (width > MAX_WIDTH) throw new Error('The formula is too wide.');
    place.style.position = 'static';
    const html = new XMLSerializer().serializeToString(place);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><style><![CDATA[${css}]]></style><foreignObject width="${width}" height="${height}">${html}</foreignObject></svg>`;
    // Not a blob's address: a canvas could not be read then.
    return await svgToPng(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, SCALE);
  } finally {
    place.remove();
  }
}

/** KaTeX's styles of this page, with the font files in them, since an SVG picture loads no files. */
class KatexStyles {
  private readonly rules = Array.from(document.styleSheets)
    .filter(({ href }) => href === null || href.startsWith(location.origin))
    .flatMap((sheet) =>
      Array.from(sheet.cssRules, (rule) => ({ rule, base: sheet.href ?? document.baseURI })),
    );
  private readonly files = new Map<string, Promise<string>>();

  /** @param families of the fonts in use */
  async of(families: string): Promise<string> {
    const texts = this.rules.map(async ({ rule, base }) => {
      if (rule instanceof CSSStyleRule)
        return /\.katex(?!.*eqn-num)/.test(rule.selectorText) ? rule.cssText : '';
      if (!(rule instanceof CSSFontFaceRule)) return '';
      const { style } = rule;
      const family = style.getPropertyValue('font-family').replaceAll('"', '');
      if (!family.startsWith('KaTeX_') || !families.includes(family)) return '';
      const [, file] = /url\("?([^")]+)"?\)/.exec(style.getPropertyValue('src')) ?? [];
      if (file === undefined) return '';
      const properties = ['font-style', 'font-weight'].map(
        (name) => `${name}:${style.getPropertyValue(name)};`,
      );
      return `@font-face{font-family:${family};${properties.join('')}src:url(${await this.dataUrl(new URL(file, base).href)})}`;
    });
    return (await Promise.all(texts)).join('');
  }

  private dataUrl(url: string): Promise<string> {
    const known = this.files.get(url);
    if (known) return known;
    const read = fetch(url).then(
      async (answer) => `data:font/woff2;base64,${toBase64(new Uint8Array(await answer.arrayBuffer()))}`,
    );
    this.files.set(url, read);
    return read;
  }
}
