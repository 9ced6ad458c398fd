import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A greyscale image with one byte per pixel; 0 is black. */
export interface PagePicture {
  data: Uint8Array;
  width: number;
  height: number;
}

/** 300 dpi, as pixels per point (1/72 inch). */
const SCALE = 300 / 72;
/** Maximum pixels of a rendered page. An A4 page at 300 dpi has 8.7 million. Larger pages are scaled down. */
const MAX_PIXELS = 9_000_000;
/** A page with text is still considered a scan if images cover at least this fraction of the page. */
const SCANNED_SHARE = 0.4;
/** A page is empty if less than this fraction of its pixels differs from the background. */
const EMPTY_SHARE = 0.0002;

/**
 * Renders a page as a greyscale image of 300 dpi.
 * @param hasText true if the page has a text layer
 * @returns null if the page is empty, or has a text layer and is not a scan
 */
export async function renderPage(
  document: PDFDocumentProxy,
  number: number,
  hasText: boolean,
): Promise<PagePicture | null> {
  const page = await document.getPage(number);
  try {
    if (hasText && !(await showsPicture(page))) return null;
    const picture = await render(document, page);
    return isEmpty(picture) ? null : picture;
  } finally {
    page.cleanup();
  }
}

interface Canvas {
  canvas: HTMLCanvasElement;
  context: { getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray } };
}
/** Type of `canvasFactory`, which pdf.js declares as `object`. */
interface CanvasFactory {
  create(width: number, height: number): Canvas;
  destroy(canvas: Canvas): void;
}

async function render(document: PDFDocumentProxy, page: PDFPageProxy): Promise<PagePicture> {
  const size = page.getViewport({ scale: 1 });
  const scale = Math.min(SCALE, Math.sqrt(MAX_PIXELS / (size.width * size.height)));
  const viewport = page.getViewport({ scale });
  const width = Math.max(1, Math.floor(viewport.width));
  const height = Math.max(1, Math.floor(viewport.height));
  const factory = document.canvasFactory as CanvasFactory;
  const drawn = factory.create(width, height);
  try {
    await page.render({ canvas: drawn.canvas, viewport }).promise;
    const { data } = drawn.context.getImageData(0, 0, width, height);
    return { data: toGrey(data), width, height };
  } finally {
    factory.destroy(drawn);
  }
}

function toGrey(colours: Uint8ClampedArray): Uint8Array {
  const grey = new Uint8Array(colours.length / 4);
  for (let at = 0, from = 0; at < grey.length; at += 1, from += 4) {
    grey[at] =
      ((colours[from] as number) * 77 +
        (colours[from + 1] as number) * 150 +
        (colours[from + 2] as number) * 29) >>
      8;
  }
  return grey;
}

function isEmpty({ data }: PagePicture): boolean {
  const counts = new Uint32Array(256);
  for (const value of data) counts[value] = (counts[value] as number) + 1;
  let paper = 255;
  for (let value = 0; value < 256; value += 1) {
    if ((counts[value] as number) > (counts[paper] as number)) paper = value;
  }
  let other = 0;
  for (let value = 0; value < 256; value += 1) {
    if (Math.abs(value - paper) > 48) other += counts[value] as number;
  }
  return other < data.length * EMPTY_SHARE;
}

type Matrix = [number, number, number, number, number, number];

async function showsPicture(page: PDFPageProxy): Promise<boolean> {
  const { width, height } = page.getViewport({ scale: 1 });
  const { fnArray, argsArray } = await page.getOperatorList();
  const saved: Matrix[] = [];
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  let area = 0;
  for (const [index, operation] of fnArray.entries()) {
    switch (operation) {
      case OPS.save:
        saved.push(matrix);
        break;
      case OPS.restore:
        matrix = saved.pop() ?? matrix;
        break;
      case OPS.transform:
        matrix = multiply(matrix, argsArray[index] as Matrix);
        break;
      case OPS.paintImageXObject:
      case OPS.paintImageMaskXObject:
      case OPS.paintInlineImageXObject:
        area += Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]);
        break;
    }
  }
  return area > width * height * SCANNED_SHARE;
}

const multiply = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];
