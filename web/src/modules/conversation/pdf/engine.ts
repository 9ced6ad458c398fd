export { readPdf } from '../../../shared/pdf/read-pdf';

// Imported dynamically, after the import above, because the viewer needs a global that the library creates.
const { EventBus, PDFLinkService, PDFViewer } = await import('pdfjs-dist/web/pdf_viewer.mjs');

/** `AnnotationMode.ENABLE` of PDF.js, which renders filled form fields as part of the page. */
const ENABLE_ANNOTATIONS = 1;

export type Viewer = InstanceType<typeof PDFViewer>;
export type Events = InstanceType<typeof EventBus>;

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
