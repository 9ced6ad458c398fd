import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Viewer } from './engine';
import type { PdfWord } from '#libs/contract/pdf-chats.js';
import { readAnnotationTexts } from './annotation-texts';
import { findPage, usefulLabels, type PageReference } from './page-labels';
import { clearMarks, findMarks, markBoxes, textsOf, textsOfWords, type Marks } from './page-texts';

/** A page to show, and a quote to highlight there. Passing a new, equal object scrolls to the page again. */
export type PdfLocation = PageReference & { quote?: string };

export interface Pdf {
  /** Refs for the scrollable element and for the element inside it that gets the pages. */
  container: RefObject<HTMLDivElement | null>;
  pages: RefObject<HTMLDivElement | null>;
  state: 'loading' | 'ready' | 'failed';
  page: number;
  pageCount: number;
  /** The printed label of each page; null if the labels are the page numbers. */
  labels: readonly string[] | null;
  /** True if the quote was found on the page; null while unknown. */
  highlighted: boolean | null;
  /** Zoom in percent. */
  percent: number;
  go: (page: number) => void;
  zoom: (direction: 1 | -1) => void;
  fitWidth: () => void;
}

const FIT_WIDTH = 'page-width';
/** Name of the CSS highlight, which pdf-pages.css styles. */
const HIGHLIGHT = 'cited';

/** Shows a PDF in PDF.js's viewer. @param readWords fetches the recognised words of a scanned page */
export function usePdf(
  file: Blob,
  location: PdfLocation | null,
  readWords: (page: number) => Promise<PdfWord[]>,
): Pdf {
  const container = useRef<HTMLDivElement>(null);
  const pages = useRef<HTMLDivElement>(null);
  const [viewer, setViewer] = useState<Viewer | null>(null);
  const [state, setState] = useState<Pdf['state']>('loading');
  const [page, setPage] = useState(1);
  const [labels, setLabels] = useState<Pdf['labels']>(null);
  const [percent, setPercent] = useState(100);
  const [found, setFound] = useState<{ location: PdfLocation; highlighted: boolean } | null>(null);

  useEffect(() => {
    const [box, list] = [container.current, pages.current];
    if (box === null || list === null) return;
    let close = () => undefined as void;
    let closed = false;
    const open = async () => {
      const [engine, data] = await Promise.all([import('./engine'), file.arrayBuffer()]);
      if (closed) return;
      const task = engine.readPdf(new Uint8Array(data));
      close = () => void task.destroy();
      const document = await task.promise;
      const printed = await document.getPageLabels().catch(() => null);
      if (closed) return;
      setLabels(usefulLabels(printed));
      const opened = engine.createViewer(box, list);
      opened.events.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => setPage(pageNumber));
      opened.events.on('scalechanging', ({ scale }: { scale: number }) =>
        setPercent(Math.round(scale * 100)),
      );
      opened.events.on('pagesinit', () => {
        opened.viewer.currentScaleValue = FIT_WIDTH;
        setViewer(opened.viewer);
        setState('ready');
      });
      opened.viewer.setDocument(document);
      const refit = new ResizeObserver(() => {
        // Also called when the box is hidden, where the viewer cannot scroll to its page.
        if (box.offsetParent !== null && opened.viewer.currentScaleValue === FIT_WIDTH)
          opened.viewer.currentScaleValue = FIT_WIDTH;
      });
      refit.observe(box);
      close = () => {
        refit.disconnect();
        // At runtime, null removes the document, although the declared type doesn't allow null.
        opened.viewer.setDocument(null as never);
        // The viewer logs an error for each page that it waits for. Pages come in the order of their requests.
        void document.getPage(opened.viewer.currentPageNumber || 1).finally(() => task.destroy());
      };
    };
    open().catch(() => !closed && setState('failed'));
    return () => {
      closed = true;
      close();
      setViewer(null);
      setState('loading');
    };
  }, [file]);

  useEffect(() => {
    if (viewer === null || location === null) return;
    const number = pageOf(location, labels, viewer.pagesCount);
    viewer.scrollPageIntoView({ pageNumber: number });
    if (location.quote === undefined) return;
    const { quote } = location;
    const list = pages.current;
    let ended = false;
    let scrolled = false;
    const annotations = readOnce(async () => readAnnotationTexts(await viewer.pdfDocument!.getPage(number)));
    // A quote is searched in the page's text and fields, then also in what may not be visible, then in recognised words.
    const sources = [
      async () => (await annotations()).values,
      async () => (await annotations()).labels,
      readOnce(async () => textsOfWords(await readWords(number))),
    ];
    const mark = async (element: Element, layer: Element) => {
      const texts = textsOf(layer);
      let marks: Marks | null = null;
      for (const read of sources) {
        texts.push(...(await read().catch(() => [])));
        marks = findMarks(texts, quote);
        if (marks !== null) break;
      }
      if (ended) return;
      setFound({ location, highlighted: marks !== null });
      const { ranges, boxes } = marks ?? { ranges: [], boxes: [] };
      CSS.highlights?.set(HIGHLIGHT, new Highlight(...ranges));
      const first = markBoxes(element, boxes);
      const passage = ranges[0] ?? first;
      if (passage === null || scrolled) return;
      scrolled = true;
      scrollIntoView(container.current, passage);
    };
    const highlight = ({ pageNumber }: { pageNumber: number }) => {
      const element = list?.querySelector(`[data-page-number="${number}"]`);
      const layer = element?.querySelector('.textLayer');
      // PDF.js adds `.endOfContent` when a text layer is complete. Before that, wait for the event.
      if (pageNumber === number && element && layer?.querySelector('.endOfContent'))
        void mark(element, layer);
    };
    // If the page is already rendered, no event follows, so highlight now.
    const { eventBus } = viewer;
    highlight({ pageNumber: number });
    eventBus.on('textlayerrendered', highlight);
    return () => {
      ended = true;
      eventBus.off('textlayerrendered', highlight);
      CSS.highlights?.delete(HIGHLIGHT);
      clearMarks(list);
    };
  }, [viewer, location, labels, readWords]);

  return {
    container,
    pages,
    state,
    page,
    pageCount: viewer?.pagesCount ?? 0,
    labels,
    highlighted: found !== null && found.location === location ? found.highlighted : null,
    percent,
    go: (next) => viewer?.scrollPageIntoView({ pageNumber: Math.min(Math.max(next, 1), viewer.pagesCount) }),
    zoom: (direction) => {
      if (direction > 0) viewer?.increaseScale();
      else viewer?.decreaseScale();
    },
    fitWidth: () => {
      if (viewer !== null) viewer.currentScaleValue = FIT_WIDTH;
    },
  };
}

/** A function that reads once and then returns the same promise. */
function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined;
  return () => (promise ??= read());
}

function pageOf(location: PdfLocation, labels: Pdf['labels'], pageCount: number): number {
  if ('label' in location) return findPage(labels, location.label, pageCount) ?? 1;
  return Math.min(Math.max(location.page, 1), pageCount);
}

/** Scrolls the container to the passage, unless the passage is already visible. */
function scrollIntoView(box: HTMLElement | null, passage: Range | Element): void {
  if (box === null) return;
  const [outer, inner] = [box.getBoundingClientRect(), passage.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    box.scrollBy({ top: inner.top - outer.top - outer.height / 3 });
  if (inner.left < outer.left || inner.right > outer.right)
    box.scrollBy({ left: inner.left - outer.left - outer.width / 3 });
}
