import * as pdfjs from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

/** URL path of PDF.js's fonts and character maps. See `pdfAssets` in vite.config.ts. */
const ASSETS = '/pdf/';

type PdfTask = pdfjs.PDFDocumentLoadingTask;

/** Starts to load a document. Disables `eval` and WebAssembly, which our content security policy forbids. */
export function readPdf(data: Uint8Array): PdfTask {
  return pdfjs.getDocument({
    data,
    isEvalSupported: false,
    useWasm: false,
    enableXfa: false,
    cMapUrl: `${ASSETS}cmaps/`,
    standardFontDataUrl: `${ASSETS}standard_fonts/`,
    wasmUrl: `${ASSETS}wasm/`,
  });
}

/** Pages to look at; a scan usually has no other pages. */
const MAX_PAGES = 20;
/** A page with a picture and fewer characters may be a scan with a printed header or stamp. */
const MAX_CHARACTERS = 400;

const PICTURES = new Set([
  pdfjs.OPS.paintImageXObject,
  pdfjs.OPS.paintInlineImageXObject,
  pdfjs.OPS.paintImageMaskXObject,
]);

/** True if one of the first pages has a picture and hardly any text. */
export async function hasScan(file: Blob, signal: AbortSignal): Promise<boolean> {
  const task = readPdf(new Uint8Array(await file.arrayBuffer()));
  try {
    const document = await task.promise;
    for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number += 1) {
      signal.throwIfAborted();
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const characters = items.reduce((sum, item) => sum + ('str' in item ? item.str.trim().length : 0), 0);
      if (characters >= MAX_CHARACTERS) continue;
      const { fnArray } = await page.getOperatorList();
      if (fnArray.some((operator) => PICTURES.has(operator))) return true;
    }
    return false;
  } finally {
    void task.destroy();
  }
}
