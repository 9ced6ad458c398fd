import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { AnnotationMode } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PageItem } from './layout/page-items.js';
import { countCharacters, SPARSE_CHARACTERS } from './maybe-scan.js';
import { measurePictures } from './picture-share.js';

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
/**
 * A page with text is a scan if pictures cover at least this share of it. More for a page with more text: it may be a page with
 * a large photo, and its caption.
 */
const SCANNED_SHARE = 0.4;
const SCANNED_SHARE_WITH_TEXT = 0.6;
/** Higher text may be a stamp over what OCR should read. */
const MAX_ERASED_HEIGHT = 24;
/** A page is empty if less than this fraction of its pixels differs from the background. */
const EMPTY_SHARE = 0.0002;

/**
 * Renders a page as a greyscale image of 300 dpi, without the page's text.
 * @param texts the text of the page
 * @returns null if the page is empty, or has text and is not a scan, or has the text of an earlier OCR
 */
export async function renderPage(
  document: PDFDocumentProxy,
  number: number,
  texts: readonly PageItem[],
): Promise<PagePicture | null> {
  const page = await document.getPage(number);
  try {
    const characters = texts.reduce((sum, { text }) => sum + countCharacters(text), 0);
    if (characters > 0 && !(await isScan(page, characters))) return null;
    // Text of annotations is known already.
    const mode = characters > 0 ? AnnotationMode.DISABLE : AnnotationMode.ENABLE;
    const picture = await render(document, page, mode);
    const { width } = page.getViewport({ scale: 1 / page.userUnit });
    const paper = paperOf(picture);
    for (const text of texts) erase(picture, text, picture.width / width, paper);
    return isEmpty(picture, paper) ? null : picture;
  } finally {
    page.cleanup();
  }
}

async function isScan(page: PDFPageProxy, characters: number): Promise<boolean> {
  const { share, hasInvisibleText } = await measurePictures(page);
  return (
    !hasInvisibleText && share >= (characters < SPARSE_CHARACTERS ? SCANNED_SHARE : SCANNED_SHARE_WITH_TEXT)
  );
}

/** Erases text in reading direction, so that OCR does not read it a second time. @param scale pixels per point */
function erase(
  { data, width: pixels, height: rows }: PagePicture,
  { x, y, width, height, angle, source = 'text' }: PageItem,
  scale: number,
  paper: number,
): void {
  if (source !== 'text' || angle !== 0 || height > MAX_ERASED_HEIGHT) return;
  const at = (points: number, end: number) => Math.min(end, Math.max(0, Math.round(points * scale)));
  const [left, right] = [at(x - 1, pixels), at(x + width + 1, pixels)];
  for (let row = at(y - height, rows); row < at(y + 0.35 * height, rows); row += 1) {
    data.fill(paper, row * pixels + left, row * pixels + Math.max(left, right));
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

async function render(
  document: PDFDocumentProxy,
  page: PDFPageProxy,
  annotationMode: number,
): Promise<PagePicture> {
  const size = page.getViewport({ scale: 1 });
  const scale = Math.min(SCALE, Math.sqrt(MAX_PIXELS / (size.width * size.height)));
  const viewport = page.getViewport({ scale });
  const width = Math.max(1, Math.floor(viewport.width));
  const height = Math.max(1, Math.floor(viewport.height));
  const factory = document.canvasFactory as CanvasFactory;
  const drawn = factory.create(width, height);
  try {
    await page.render({ canvas: drawn.canvas, viewport, annotationMode }).promise;
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

/** The most frequent grey. */
function paperOf({ data }: PagePicture): number {
  const counts = new Uint32Array(256);
  for (const value of data) counts[value] = (counts[value] as number) + 1;
  return counts.indexOf(Math.max(...counts));
}

function isEmpty({ data }: PagePicture, paper: number): boolean {
  let other = 0;
  for (const value of data) if (Math.abs(value - paper) > 48) other += 1;
  return other < data.length * EMPTY_SHARE;
}
