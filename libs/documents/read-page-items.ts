import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Matrix } from './annotations/annotation.js';
import type { PageItem, PageItems } from './layout/page-items.js';

/** Reads the text of a page with its positions. */
export async function readPageItems(page: PDFPageProxy): Promise<PageItems> {
  const { width, height, transform } = page.getViewport({ scale: 1 / page.userUnit });
  const { items: found, styles } = await page.getTextContent();
  const items: PageItem[] = [];
  for (const item of found) {
    if (!('str' in item)) continue;
    if (item.str.trim() !== '') {
      const isVertical = styles[item.fontName]?.vertical === true;
      items.push(toPageItem(item, transform as Matrix, isVertical));
    } else if (item.str !== '') addSpace(items.at(-1), toPageItem(item, transform as Matrix, false));
  }
  return { width, height, items };
}

type TextItem = Extract<
  Awaited<ReturnType<PDFPageProxy['getTextContent']>>['items'][number],
  { str: string }
>;

function toPageItem(item: TextItem, [a, b, c, d, e, f]: Matrix, isVertical: boolean): PageItem {
  const [ta, tb, , , tx, ty] = item.transform as Matrix;
  // The baseline's direction on the displayed page.
  const angle = Math.atan2(b * ta + d * tb, a * ta + c * tb) * (180 / Math.PI);
  return {
    text: item.str,
    x: a * tx + c * ty + e,
    y: b * tx + d * ty + f,
    width: isVertical ? item.height : item.width,
    height: isVertical ? item.width : item.height,
    angle: isVertical ? angle + 90 : angle,
    font: item.fontName,
    ...(item.dir === 'rtl' && { isRightToLeft: true }),
  };
}

/** Adds a space to the item before it. Chromium writes lines of Arabic from left to right, so there the space comes before the word. */
function addSpace(item: PageItem | undefined, space: PageItem): void {
  if (!item) return;
  const isBefore = item.isRightToLeft === true && space.x >= item.x + item.width / 2;
  if (isBefore) item.text = ` ${item.text.trimStart()}`;
  else if (!item.text.endsWith(' ')) item.text += ' ';
}
