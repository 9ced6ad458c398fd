import * as pdfjs from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

// Imported dynamically, after the import above, because the viewer needs a global that the library creates.
const { EventBus, PDFLinkService, PDFViewer } = await import('pdfjs-dist/web/pdf_viewer.mjs');

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

/** URL path of PDF.js's fonts and character maps. See `pdfAssets` in vite.config.ts. */
const ASSETS = '/pdf/';

/** `AnnotationMode.ENABLE` of PDF.js, which renders filled form fields as part of the page. */
const ENABLE_ANNOTATIONS = 1;

export type PdfTask = pdfjs.PDFDocumentLoadingTask;
export type Viewer = InstanceType<typeof PDFViewer>;
export type Events = InstanceType<typeof EventBus>;

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

/** Creates a viewer in a scrollable container. The viewer renders only visible pages. */
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
    annotationMode: ENABLE_ANNOTATIONS,
    // Auto-linking of plain addresses fails if the page renders again at the same time. Real links work without it.
    enableAutoLinking: false,
    removePageBorders: true,
  });
  linkService.setViewer(viewer);
  return { viewer, events };
}
