import * as pdfjs from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

// The viewer finds the library in a global of its name, which the import above makes.
const { EventBus, PDFLinkService, PDFViewer } = await import('pdfjs-dist/web/pdf_viewer.mjs');

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

/** Where the build puts what some documents need: see `pdfAssets` in vite.config.ts. */
const ASSETS = '/pdf/';

const ENTRIES_DRAWN = 1; // AnnotationMode.ENABLE: what is filled into a form is drawn with the page.

export type PdfTask = pdfjs.PDFDocumentLoadingTask;
export type Viewer = InstanceType<typeof PDFViewer>;
export type Events = InstanceType<typeof EventBus>;

/** Reads a document in a worker of our own origin. Our policy allows neither `eval` nor WebAssembly. */
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

/** Shows a document's pages in a container that scrolls; only those in sight are drawn. */
export function createViewer(
  container: HTMLDivElement,
  pages: HTMLDivElement,
): { viewer: Viewer; events: Events } {
  const events = new EventBus();
  const linkService = new PDFLinkService({ eventBus: events });
  const viewer = new PDFViewer({
    container,
    viewer: pages,
    eventBus: events,
    linkService,
    annotationMode: ENTRIES_DRAWN,
    removePageBorders: true,
  });
  linkService.setViewer(viewer);
  return { viewer, events };
}
