import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { addAnnotations, getAnnotations } from './annotations/read-annotations.js';
import type { PageItems } from './layout/page-items.js';
import type { EmbeddedFile } from './annotations/annotation.js';
import { readPageItems } from './read-page-items.js';
import { readXfaItems } from './read-xfa.js';

/** Reads what is visible on a page: its text, the values of its form fields and its comments; and the files in its annotations. */
export async function readPage(page: PDFPageProxy): Promise<{ items: PageItems; files: EmbeddedFile[] }> {
  if (page.isPureXfa) {
    const { width, height } = page.getViewport({ scale: 1 });
    return { items: { width, height, items: await readXfaItems(page) }, files: [] };
  }
  const annotations = await getAnnotations(page);
  return {
    items: await addAnnotations(page, await readPageItems(page), annotations),
    files: annotations.flatMap(({ file }) => file ?? []),
  };
}
