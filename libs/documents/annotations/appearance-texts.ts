import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A gap in thousandths of the font's size that is a space between two words. */
const SPACE = -200;

/**
 * The texts that annotations show, by their ids. For stamps and signatures, of which pdf.js tells only the drawing commands.
 */
export async function readAppearanceTexts(page: PDFPageProxy): Promise<Map<string, string>> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const texts = new Map<string, string>();
  let id: string | null = null;
  let text = '';
  for (const [index, operation] of fnArray.entries()) {
    const args = argsArray[index] as unknown[] | null;
    if (operation === OPS.beginAnnotation) {
      id = String(args?.[0]);
      text = '';
    } else if (operation === OPS.endAnnotation) {
      if (id !== null && text.trim() !== '') texts.set(id, text.trim());
      id = null;
    } else if (id === null) continue;
    else if (operation === OPS.showText) text += glyphsToText(args?.[0]);
    else if (BREAKS.has(operation)) text += ' ';
  }
  return texts;
}

/** Commands that move to another place, and so end a word. */
const BREAKS = new Set([
  OPS.moveText,
  OPS.nextLine,
  OPS.setTextMatrix,
  OPS.beginText,
  OPS.setLeadingMoveText,
]);

function glyphsToText(glyphs: unknown): string {
  if (!Array.isArray(glyphs)) return '';
  return glyphs
    .map((glyph: number | { unicode?: string } | null) =>
      typeof glyph === 'number' ? (glyph < SPACE ? ' ' : '') : (glyph?.unicode ?? ''),
    )
    .join('');
}
