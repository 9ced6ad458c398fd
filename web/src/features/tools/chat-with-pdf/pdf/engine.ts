import * as pdfjs from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

// The viewer expects the global that the import above creates.
const { EventBus, PDFLinkService, PDFViewer } = await import('pdfjs-dist/web/pdf_viewer.mjs');

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

/** See `pdfAssets` in vite.config.ts. */
const ASSETS = '/pdf/';

/** AnnotationMode.ENABLE: renders filled form fields with the page. */
const ENABLE_ANNOTATIONS = 1;

export type PdfTask = pdfjs.PDFDocumentLoadingTask;
export type Viewer = InstanceType<typeof PDFViewer>;
export type Events = InstanceType<typeof EventBus>;

/** Loads a document. The content security policy allows neither `eval` nor WebAssembly. */
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

/** Creates a viewer in a scrolling container. Only visible pages are rendered. */
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
    // Links in the document still work. Auto-linking fails on a page that renders again at the same time.
    enableAutoLinking: false,
    removePageBorders: true,
  });
  linkService.setViewer(viewer);
  return { viewer, events };
}
