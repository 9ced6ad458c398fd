import { useId, useState, type KeyboardEvent } from 'react';
import { ChevronLeft, ChevronRight, Minus, MoveHorizontal, Plus } from 'lucide-react';
import type { PdfWord } from '#libs/contract/pdf-chats.js';
import { IconButton } from '../../../shared/ui/icon-button';
import { Notice } from '../../../shared/ui/notice';
import { Loading } from '../../../shared/ui/spinner';
import './pdf-pages.css';
import { findPage, pageName } from './page-labels';
import { usePdf, type Pdf, type PdfLocation } from './use-pdf';

interface PdfViewerProps {
  file: Blob;
  name: string;
  location: PdfLocation | null;
  readWords: (page: number) => Promise<PdfWord[]>;
}

export default function PdfViewer({ file, name, location, readWords }: PdfViewerProps) {
  const pdf = usePdf(file, location, readWords);
  const { container, pages, state, page, pageCount, labels, highlighted } = pdf;

  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLInputElement) return;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => pdf.go(page - 1),
      ArrowRight: () => pdf.go(page + 1),
      '+': () => pdf.zoom(1),
      '-': () => pdf.zoom(-1),
      '0': pdf.fitWidth,
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };

  return (
    // Handles keyboard shortcuts, which do the same as the toolbar's buttons.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={handleKey}>
      <Toolbar pdf={pdf} />
      <p role="status" className="sr-only">
        {state === 'ready' &&
          `Page ${pageOutOf(labels, page, pageCount)}.${highlighted === true ? ' The quote is highlighted.' : ''}`}
      </p>
      {highlighted === false && (
        <p className="border-b border-line px-4 py-2 text-sm text-quiet">
          The quote could not be highlighted. It may be part of an image.
        </p>
      )}
      <div className="relative min-h-0 flex-1 bg-sunken">
        <div
          ref={container}
          role="region"
          aria-label={`Pages of ${name}`}
          // Keyboard users must be able to focus a scrollable region.
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="absolute inset-0 overflow-auto p-3 outline-offset-[-2px]"
        >
          <div ref={pages} className="pdf-pages" />
        </div>
        {state === 'loading' && <Loading label="Loading the document" />}
        {state === 'failed' && (
          <div className="relative p-4">
            <Notice tone="danger" title="This document cannot be shown">
              The conversation about it is not affected.
            </Notice>
          </div>
        )}
      </div>
    </div>
  );
}

/** Such as “3 of 10” or, with a printed label, “iii (3 of 10)”. */
function pageOutOf(labels: Pdf['labels'], page: number, pageCount: number): string {
  return labels === null ? `${page} of ${pageCount}` : `${pageName(labels, page)} (${page} of ${pageCount})`;
}

function Toolbar({ pdf: { page, pageCount, labels, percent, state, go, zoom, fitWidth } }: { pdf: Pdf }) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const disabled = state !== 'ready';
  const name = pageName(labels, page);
  // The field has the same width on every page, so that the buttons stay where they are.
  const longest = Math.min(labels?.reduce((most, { length }) => Math.max(most, length), 3) ?? 3, 10);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-2 py-1.5 text-sm">
      <form
        className="flex items-center gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          const chosen = findPage(labels, typed ?? '', pageCount);
          if (chosen !== null) go(chosen);
          setTyped(null);
        }}
      >
        <IconButton
          label="Previous page"
          icon={ChevronLeft}
          iconClass="size-5"
          disabled={disabled || page <= 1}
          onClick={() => go(page - 1)}
        />
        <label htmlFor={id} className="sr-only">
          Page
        </label>
        <input
          id={id}
          inputMode={labels === null ? 'numeric' : 'text'}
          autoComplete="off"
          value={typed ?? name}
          disabled={disabled}
          onChange={({ currentTarget: { value } }) =>
            setTyped(labels === null ? value.replace(/\D/g, '') : value)
          }
          onFocus={({ currentTarget }) => currentTarget.select()}
          onBlur={() => setTyped(null)}
          style={{ width: `${longest + 2.5}ch` }}
          className="h-9 rounded-control border border-edge bg-raised text-center font-mono text-sm"
        />
        <span className="px-1 font-mono whitespace-nowrap text-quiet">
          {labels === null ? `of ${pageCount || '…'}` : `(${page} of ${pageCount})`}
        </span>
        <IconButton
          label="Next page"
          icon={ChevronRight}
          iconClass="size-5"
          disabled={disabled || page >= pageCount}
          onClick={() => go(page + 1)}
        />
      </form>
      <div className="flex items-center gap-1">
        <IconButton label="Zoom out" icon={Minus} disabled={disabled} onClick={() => zoom(-1)} />
        <span className="hidden w-12 text-center font-mono text-xs text-quiet sm:block">{percent}%</span>
        <IconButton label="Zoom in" icon={Plus} disabled={disabled} onClick={() => zoom(1)} />
        <IconButton label="Fit to width" icon={MoveHorizontal} disabled={disabled} onClick={fitWidth} />
      </div>
    </div>
  );
}
