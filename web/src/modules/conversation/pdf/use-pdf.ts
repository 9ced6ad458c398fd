import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Viewer } from './engine';
import type { PdfWord } from '#libs/contract/pdf-chats.js';
import { findPassage } from './find-passage';
import { boxesOf, clearMarks, markBoxes } from './scanned-words';

/** A page to show, and a quote to highlight there. Passing a new, equal object scrolls to the page again. */
export interface PdfLocation {
  page: number;
  quote?: string;
}

export interface Pdf {
  /** Refs for the scrollable element and for the element inside it that gets the pages. */
  container: RefObject<HTMLDivElement | null>;
  pages: RefObject<HTMLDivElement | null>;
  state: 'loading' | 'ready' | 'failed';
  page: number;
  pageCount: number;
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
      if (closed) return;
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
        if (opened.viewer.currentScaleValue === FIT_WIDTH) opened.viewer.currentScaleValue = FIT_WIDTH;
      });
      refit.observe(box);
      close = () => {
        refit.disconnect();
        // At runtime, null removes the document, although the declared type doesn't allow null.
        opened.viewer.setDocument(null as never);
        void task.destroy();
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
    const number = Math.min(Math.max(location.page, 1), viewer.pagesCount);
    viewer.scrollPageIntoView({ pageNumber: number });
    if (location.quote === undefined) return;
    const { quote } = location;
    const list = pages.current;
    let ended = false;
    let words: Promise<PdfWord[]> | undefined;
    let scrolled = false;
    const highlightScan = async (element: Element) => {
      const boxes = boxesOf(await (words ??= readWords(number).catch(() => [])), quote);
      if (ended) return;
      setFound({ location, highlighted: boxes.length > 0 });
      const mark = markBoxes(element, boxes);
      if (mark === null || scrolled) return;
      scrolled = true;
      scrollIntoView(container.current, mark);
    };
    const highlight = ({ pageNumber }: { pageNumber: number }) => {
      const element = list?.querySelector(`[data-page-number="${number}"]`);
      const layer = element?.querySelector('.textLayer');
      // PDF.js adds `.endOfContent` when a text layer is complete. Before that, wait for the event.
      if (pageNumber !== number || !element || !layer?.querySelector('.endOfContent')) return;
      const range = rangeOf(layer, quote);
      if (range === null) return void highlightScan(element);
      setFound({ location, highlighted: true });
      CSS.highlights?.set(HIGHLIGHT, new Highlight(range));
      scrollIntoView(container.current, range);
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
  }, [viewer, location, readWords]);

  return {
    container,
    pages,
    state,
    page,
    pageCount: viewer?.pagesCount ?? 0,
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

/** DOM range of a quote in a page's text layer; null if the quote was not found. */
function rangeOf(layer: Element, quote: string): Range | null {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  const passage = findPassage(
    texts.map(({ data }) => data),
    quote,
  );
  const first = passage && texts[passage.from.index];
  const last = passage && texts[passage.to.index];
  if (!passage || !first || !last) return null;
  const range = document.createRange();
  range.setStart(first, passage.from.offset);
  range.setEnd(last, passage.to.offset);
  return range;
}

/** Scrolls the container to the passage, unless the passage is already visible. */
function scrollIntoView(box: HTMLElement | null, passage: Range | Element): void {
  if (box === null) return;
  const [outer, inner] = [box.getBoundingClientRect(), passage.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    box.scrollBy({ top: inner.top - outer.top - outer.height / 3 });
}
