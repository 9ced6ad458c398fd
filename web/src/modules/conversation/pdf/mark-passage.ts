import { findMarks, textsOf } from './page-texts';

/** Name of the CSS highlight, which pdf-pages.css styles. */
const HIGHLIGHT = 'cited';

/**
 * Marks a quote in a page of text and scrolls to it.
 * @param root the scrollable element
 * @returns a function that removes the mark; null if the page doesn't contain the quote
 */
export function markPassage(root: Element, page: Element, quote: string): (() => void) | null {
  const ranges = findMarks(textsOf(page), quote)?.ranges ?? [];
  const [first] = ranges;
  if (first === undefined) return null;
  CSS.highlights?.set(HIGHLIGHT, new Highlight(...ranges));
  const [outer, inner] = [root.getBoundingClientRect(), first.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    root.scrollBy({ top: inner.top - outer.top - outer.height / 3 });
  return () => CSS.highlights?.delete(HIGHLIGHT);
}
