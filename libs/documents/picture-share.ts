import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { AnnotationMode, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Matrix } from './annotations/annotation.js';

export interface PagePictures {
  /** Share of the page that pictures cover, from 0 to 1. */
  share: number;
  /** True if the page has invisible text, which OCR programs put over a scan. */
  hasInvisibleText: boolean;
}

/** The page is divided into so many rows and columns, to count what overlapping pictures cover once. */
const CELLS = 40;
/** Characters of invisible text; fewer are no text of a page. */
const MIN_INVISIBLE = 20;
/** Rendering modes of text that is not drawn (ISO 32000-2, table 104). */
const INVISIBLE_MODES = new Set<unknown>([3, 7]);

/** Measures what the pictures of a page cover, also if a page is cut into strips or tiles. */
export async function measurePictures(page: PDFPageProxy): Promise<PagePictures> {
  const list = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE });
  return measureOperators(list.fnArray, list.argsArray as unknown[][], page.view);
}

export function measureOperators(
  operators: readonly number[],
  args: readonly (readonly unknown[] | null)[],
  view: readonly number[],
): PagePictures {
  const covered = new Uint8Array(CELLS * CELLS);
  const saved: [Matrix, unknown][] = [];
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  let mode: unknown = 0;
  let invisible = 0;
  for (const [index, operator] of operators.entries()) {
    switch (operator) {
      case OPS.save:
        saved.push([matrix, mode]);
        break;
      case OPS.paintFormXObjectBegin:
        saved.push([matrix, mode]);
        if (args[index]?.[0]) matrix = multiply(matrix, args[index][0] as Matrix);
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        [matrix, mode] = saved.pop() ?? [matrix, mode];
        break;
      case OPS.transform:
        matrix = multiply(matrix, args[index] as unknown as Matrix);
        break;
      case OPS.setTextRenderingMode:
        mode = args[index]?.[0];
        break;
      case OPS.showText:
        if (INVISIBLE_MODES.has(mode)) invisible += (args[index]?.[0] as unknown[] | undefined)?.length ?? 0;
        break;
      case OPS.paintImageXObject:
      case OPS.paintImageMaskXObject:
      case OPS.paintInlineImageXObject:
        cover(covered, matrix, view);
        break;
    }
  }
  const share = covered.reduce((sum, cell) => sum + cell, 0) / covered.length;
  return { share, hasInvisibleText: invisible >= MIN_INVISIBLE };
}

/** Marks the cells whose centres are in the picture, which is the unit square transformed by `matrix`. */
function cover(covered: Uint8Array, [a, b, c, d, e, f]: Matrix, view: readonly number[]): void {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = view;
  const [cellWidth, cellHeight] = [(x1 - x0) / CELLS, (y1 - y0) / CELLS];
  const determinant = a * d - b * c;
  if (!Number.isFinite(determinant) || determinant === 0 || !(cellWidth > 0) || !(cellHeight > 0)) return;
  const cells = (from: number, to: number) => [
    Math.max(0, Math.floor(from)),
    Math.min(CELLS - 1, Math.floor(to)),
  ];
  const xs = [e, e + a, e + c, e + a + c];
  const ys = [f, f + b, f + d, f + b + d];
  const [left, right] = cells((Math.min(...xs) - x0) / cellWidth, (Math.max(...xs) - x0) / cellWidth);
  const [bottom, top] = cells((Math.min(...ys) - y0) / cellHeight, (Math.max(...ys) - y0) / cellHeight);
  for (let row = bottom!; row <= top!; row += 1) {
    for (let column = left!; column <= right!; column += 1) {
      const x = x0 + (column + 0.5) * cellWidth - e;
      const y = y0 + (row + 0.5) * cellHeight - f;
      const u = (d * x - c * y) / determinant;
      const v = (a * y - b * x) / determinant;
      if (u >= 0 && u <= 1 && v >= 0 && v <= 1) covered[row * CELLS + column] = 1;
    }
  }
}

const multiply = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];
