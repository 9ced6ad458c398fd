import type { Nodes, Root } from 'mdast';
import type { InlineMath, Math as BlockMath } from '#libs/contract/markdown-math.js';
import { loadSvg, svgToPng, toBase64, type EmbeddedImage } from './own-images';

/** Drawing more would take seconds. The others are written as text. */
const MAX_DRAWN = 300;
/** KaTeX typesets at 1.21 times this: 11 points, the size of the text. */
const FONT_SIZE = '12.2px';
/** Pixels of a picture for each of its own, for print. */
const SCALE = 4;
/** Width of a page in pixels. A formula with a number at the right fills it. */
const PAGE_WIDTH = 610;
/** Wider formulas would be too small; as text they have several lines. */
const MAX_WIDTH = 1.5 * PAGE_WIDTH;
/** Room for the widest formula. */
const SHEET_WIDTH = 1_000;
/** Pixels around a formula, since accents and integrals reach beyond its box. */
const PADDING = 3;

/** Lengths are in pixels, for a text of 11 points. */
export interface FormulaPicture extends EmbeddedImage {
  /** Empty space on the left and on the right. */
  padding: number;
  /** From the upper edge of the picture to the baseline. */
  baseline: number;
  /** Of the formula above the baseline. */
  ascent: number;
  /** Of the formula below the baseline. */
  depth: number;
}

const formulasOf = (node: Nodes): (BlockMath | InlineMath)[] =>
  node.type === 'math' || node.type === 'inlineMath'
    ? [node]
    : 'children' in node
      ? node.children.flatMap(formulasOf)
      : [];

/**
 * Draws the formulas of a text, all in one picture that is then cut, since loading one for each takes seconds. Wrong and too
 * wide ones are missing, and all in a browser that cannot draw HTML in SVG.
 */
export async function drawFormulas(root: Root): Promise<Map<Nodes, FormulaPicture>> {
  const formulas = formulasOf(root);
  if (formulas.length === 0) return new Map();
  try {
    return await drawAll(formulas);
  } catch {
    return new Map();
  }
}

async function drawAll(formulas: readonly (BlockMath | InlineMath)[]): Promise<Map<Nodes, FormulaPicture>> {
  const { formulaHtml } = await import('../../../shared/markdown/formulas/formula-html');
  const places = new Map<string, { place: HTMLElement; nodes: Nodes[] }>();
  for (const node of formulas) {
    const isDisplay = node.type === 'math' || node.display;
    // Formulas on lines of their own may have numbers.
    const key = isDisplay ? `${places.size}` : `$${node.value}`;
    const known = places.get(key);
    if (known) known.nodes.push(node);
    else if (places.size < MAX_DRAWN) {
      const place = typeset(formulaHtml, node.value, isDisplay);
      if (place) places.set(key, { place, nodes: [node] });
    }
  }
  if (places.size === 0) return new Map();
  const sheet = document.createElement('div');
  sheet.style.cssText = `position: absolute; left: -9999px; top: 0; width: ${SHEET_WIDTH}px; font-size: ${FONT_SIZE}; line-height: 1.2; color: black; white-space: nowrap`;
  sheet.append(...[...places.values()].map(({ place }) => place));
  // KaTeX's styles count them in a page; a picture begins at 1.
  for (const [index, number] of sheet.querySelectorAll('.eqn-num').entries())
    number.textContent = `(${index + 1})`;
  document.body.append(sheet);
  try {
    return await drawSheet(sheet, [...places.values()]);
  } finally {
    sheet.remove();
  }
}

/** @returns null if the formula is wrong */
function typeset(
  formulaHtml: (tex: string, display: boolean) => string,
  tex: string,
  isDisplay: boolean,
): HTMLElement | null {
  let html: string;
  try {
    html = formulaHtml(tex, isDisplay);
  } catch {
    return null;
  }
  const place = document.createElement('div');
  place.style.cssText = `box-sizing: border-box; width: max-content; padding: ${PADDING}px`;
  // KaTeX escapes the text of the formula.
  place.innerHTML = html;
  for (const display of place.querySelectorAll<HTMLElement>('.katex-display')) display.style.margin = '0';
  place.querySelector('.katex-mathml')?.remove();
  if (place.querySelector('.katex-tag')) place.style.width = `${PAGE_WIDTH}px`;
  return place;
}

async function drawSheet(
  sheet: HTMLElement,
  places: readonly { place: HTMLElement; nodes: Nodes[] }[],
): Promise<Map<Nodes, FormulaPicture>> {
  const families = new Set(
    Array.from(sheet.querySelectorAll('.katex, .katex *'), (element) => getComputedStyle(element).fontFamily),
  );
  const css = await stylesOf([...families].join());
  await document.fonts.ready;
  const { left, top, height } = sheet.getBoundingClientRect();
  const measured = places.map(({ place, nodes }) => {
    const box = place.getBoundingClientRect();
    const baseline = baselineOf(place);
    const struts = Array.from(place.querySelectorAll('.katex-strut'), (strut) =>
      strut.getBoundingClientRect(),
    );
    return {
      nodes,
      area: {
        left: box.left - left,
        top: box.top - top,
        width: Math.ceil(box.width),
        height: Math.ceil(box.height),
      },
      padding: PADDING,
      baseline: baseline - box.top,
      ascent: baseline - Math.min(...struts.map((strut) => strut.top)),
      depth: Math.max(...struts.map((strut) => strut.bottom)) - baseline,
    };
  });
  sheet.style.position = 'static';
  const html = new XMLSerializer().serializeToString(sheet);
  const size = `width="${SHEET_WIDTH}" height="${Math.ceil(height)}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><style><![CDATA[${css}]]></style><foreignObject ${size}>${html}</foreignObject></svg>`;
  // Not a blob's address: a canvas could not be read then.
  const image = await loadSvg(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`);
  const pictures = new Map<Nodes, FormulaPicture>();
  for (const { nodes, area, ...lengths } of measured) {
    if (area.width > MAX_WIDTH) continue;
    const picture = await svgToPng(image, area, SCALE);
    for (const node of nodes) pictures.set(node, { ...picture, ...lengths });
  }
  return pictures;
}

/** Vertical position of the baseline of a formula on the page. */
function baselineOf(place: HTMLElement): number {
  const mark = document.createElement('span');
  mark.style.display = 'inline-block';
  place.querySelector('.katex-base')!.append(mark);
  const { bottom } = mark.getBoundingClientRect();
  mark.remove();
  return bottom;
}

/**
 * KaTeX's styles of this page, with the font files in them, since an SVG picture loads no files.
 * @param families of the fonts in use
 */
async function stylesOf(families: string): Promise<string> {
  const texts = Array.from(document.styleSheets)
    .filter(({ href }) => href === null || href.startsWith(location.origin))
    .flatMap((sheet) =>
      Array.from(sheet.cssRules, (rule) => ({ rule, base: sheet.href ?? document.baseURI })),
    )
    .map(async ({ rule, base }) => {
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
      return `@font-face{font-family:${family};${properties.join('')}src:url(${await dataUrl(new URL(file, base).href)})}`;
    });
  return (await Promise.all(texts)).join('');
}

async function dataUrl(url: string): Promise<string> {
  const answer = await fetch(url);
  return `data:font/woff2;base64,${toBase64(new Uint8Array(await answer.arrayBuffer()))}`;
}
