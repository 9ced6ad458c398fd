import { useEffect, useRef, useState } from 'react';
import type { DocumentKind } from '#libs/contract/notebooks.js';
import { findPage } from '../../../../modules/conversation/pdf/page-labels';
import type { PdfLocation } from '../../../../modules/conversation/pdf/use-pdf';
import { markPassage } from '../../../../modules/conversation/pdf/mark-passage';
import '../../../../modules/conversation/pdf/pdf-pages.css';
import { Markdown } from '../../../../shared/markdown/markdown';
import { PlainText } from '../../../../shared/markdown/plain-text';

/** Longer documents are shown as plain text, since formatting all pages at once would take long. */
const MAX_FORMATTED_PAGES = 100;

interface TextViewProps {
  name: string;
  kind: DocumentKind | null;
  pages: readonly string[];
  location: PdfLocation | null;
}

/** The text of a document, with the cited passage marked. */
export function TextView({ name, kind, pages, location }: TextViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<{ location: PdfLocation; marked: boolean } | null>(null);

  useEffect(() => {
    const root = box.current;
    if (root === null || location === null) return;
    const number = numberOf(location, pages.length);
    const page = root.querySelector(`[data-page="${number}"]`);
    if (page === null) return;
    // Not `scrollIntoView`, which scrolls the frame of the app too.
    root.scrollBy({ top: page.getBoundingClientRect().top - root.getBoundingClientRect().top });
    const { quote } = location;
    if (quote === undefined) return;
    let unmark: (() => void) | null = null;
    const mark = () => {
      unmark?.();
      unmark = markPassage(root, page, quote);
      setFound({ location, marked: unmark !== null });
    };
    mark();
    // The formatted text replaces the plain text once its renderer is loaded.
    const changes = new MutationObserver(mark);
    changes.observe(page, { childList: true, subtree: true });
    return () => {
      changes.disconnect();
      unmark?.();
    };
  }, [location, pages]);

  const isFormatted = kind !== 'text' && pages.length <= MAX_FORMATTED_PAGES;
  const marked = found !== null && found.location === location ? found.marked : null;
  return (
    <>
      <p role="status" className="sr-only">
        {marked === true &&
          `Page ${location === null ? 1 : numberOf(location, pages.length)}. The quote is highlighted.`}
      </p>
      {marked === false && (
        <p className="border-b border-line px-4 py-2 text-sm text-quiet">
          The quote could not be highlighted on its page.
        </p>
      )}
      <div
        ref={box}
        role="region"
        aria-label={`Text of ${name}`}
        // Keyboard users must be able to focus a scrollable region.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto px-5 py-4 outline-offset-[-2px]"
      >
        {pages.map((text, index) => (
          <section
            key={index}
            data-page={index + 1}
            aria-label={`Page ${index + 1}`}
            className="[content-visibility:auto] [contain-intrinsic-size:auto_40rem]"
          >
            {pages.length > 1 && (
              <p aria-hidden="true" className="mt-4 mb-2 font-mono text-xs text-quiet first:mt-0">
                Page {index + 1}
              </p>
            )}
            {isFormatted ? <Markdown text={text} /> : <PlainText text={text} />}
          </section>
        ))}
      </div>
    </>
  );
}

/** Without a file, a document has no printed labels, so a label is read as a number. */
const numberOf = (location: PdfLocation, pageCount: number): number =>
  'page' in location
    ? Math.min(Math.max(location.page, 1), pageCount)
    : (findPage(null, location.label, pageCount) ?? 1);
