import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Viewer } from './engine';
import { findPassage } from './find-passage';

/** What is to be shown: a page, and words on it that are to be marked. A new object goes there again. */
export interface PdfPlace {
  page: number;
  quote?: string;
}

export interface Pdf {
  /** The element that scrolls, and in it the one that takes the pages. */
  container: RefObject<HTMLDivElement | null>;
  pages: RefObject<HTMLDivElement | null>;
  state: 'loading' | 'ready' | 'failed';
  page: number;
  pageCount: number;
  /** Whether the words to be marked were found on their page; null while that is not known. */
  marked: boolean | null;
  /** The size in percent of the document's own. */
  percent: number;
  go: (page: number) => void;
  zoom: (direction: 1 | -1) => void;
  fitWidth: () => void;
}

const FIT = 'page-width';
/** The name of the mark, also in pdf-pages.css. */
const MARK = 'cited';

/** A document shown in an element that scrolls. Only the pages in sight are drawn, however many there are. */
export function usePdf(file: Blob, place: PdfPlace | null): Pdf {
  const container = useRef<HTMLDivElement>(null);
  const pages = useRef<HTMLDivElement>(null);
  const [viewer, setViewer] = useState<Viewer | null>(null);
  const [state, setState] = useState<Pdf['state']>('loading');
  const [page, setPage] = useState(1);
  const [percent, setPercent] = useState(100);
  const [found, setFound] = useState<{ place: PdfPlace; marked: boolean } | null>(null);

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
      const shown = engine.createViewer(box, list);
      shown.events.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => setPage(pageNumber));
      shown.events.on('scalechanging', ({ scale }: { scale: number }) => setPercent(Math.round(scale * 100)));
      shown.events.on('pagesinit', () => {
        shown.viewer.currentScaleValue = FIT;
        setViewer(shown.viewer);
        setState('ready');
      });
      shown.viewer.setDocument(document);
      const refit = new ResizeObserver(() => {
        if (shown.viewer.currentScaleValue === FIT) shown.viewer.currentScaleValue = FIT;
      });
      refit.observe(box);
      close = () => {
        refit.disconnect();
        // The declared type leaves out that null takes the document away.
        shown.viewer.setDocument(null as never);
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
    if (viewer === null || place === null) return;
    const number = Math.min(Math.max(place.page, 1), viewer.pagesCount);
    viewer.scrollPageIntoView({ pageNumber: number });
    if (place.quote === undefined) return;
    const { quote } = place;
    const mark = ({ pageNumber }: { pageNumber: number }) => {
      if (pageNumber !== number) return;
      const range = rangeOf(pages.current, number, quote);
      setFound({ place, marked: range !== null });
      if (range === null) return;
      CSS.highlights?.set(MARK, new Highlight(range));
      reveal(container.current, range);
    };
    // A page that is drawn already tells nothing more; one that is not has no text yet.
    const { eventBus } = viewer;
    mark({ pageNumber: number });
    eventBus.on('textlayerrendered', mark);
    return () => {
      eventBus.off('textlayerrendered', mark);
      CSS.highlights?.delete(MARK);
    };
  }, [viewer, place]);

  return {
    container,
    pages,
    state,
    page,
    pageCount: viewer?.pagesCount ?? 0,
    marked: found !== null && found.place === place ? found.marked : null,
    percent,
    go: (next) => viewer?.scrollPageIntoView({ pageNumber: Math.min(Math.max(next, 1), viewer.pagesCount) }),
    zoom: (direction) => {
      if (direction > 0) viewer?.increaseScale();
      else viewer?.decreaseScale();
    },
    fitWidth: () => {
      if (viewer !== null) viewer.currentScaleValue = FIT;
    },
  };
}

/** The stretch of a page's text layer that has these words. */
function rangeOf(pages: HTMLElement | null, page: number, quote: string): Range | null {
  const layer = pages?.querySelector(`[data-page-number="${page}"] .textLayer`);
  if (!layer) return null;
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

/** Scrolls only where the words are out of sight. */
function reveal(box: HTMLElement | null, range: Range): void {
  if (box === null) return;
  const [outer, inner] = [box.getBoundingClientRect(), range.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    box.scrollBy({ top: inner.top - outer.top - outer.height / 3 });
}
