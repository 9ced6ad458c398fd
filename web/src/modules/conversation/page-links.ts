import type { Citation } from '#libs/contract/pdf-chats.js';
import type { PdfLocation } from './pdf/use-pdf';

const PAGE_REFERENCE = /\[p\. (\d{1,5})\](?!\()/g;
const PAGE_HREF = /^#page=(\d+)(?:&cited=(\d+))?$/;

/**
 * Turns the page references of an answer into links: `[p. 3]` opens page 3 and highlights the quote before the reference.
 */
export function linkPages(text: string, citations: readonly Citation[]): string {
  return text.replace(PAGE_REFERENCE, (reference: string, page: string, offset: number) => {
    const cited = lastQuoteBefore(text.slice(0, offset), Number(page), citations);
    return `[${reference.slice(1, -1)}](#page=${page}${cited === -1 ? '' : `&cited=${cited}`})`;
  });
}

/** Parses the `href` of a page link. @returns null for other links */
export function parsePageLink(href: string | null, citations: readonly Citation[]): PdfLocation | null {
  const [, page, cited] = PAGE_HREF.exec(href ?? '') ?? [];
  if (page === undefined) return null;
  return { page: Number(page), quote: cited === undefined ? undefined : citations[Number(cited)]?.quote };
}

/** Among the citations of a page, the index of the quote that comes last in the text, or else of the first citation. */
function lastQuoteBefore(text: string, page: number, citations: readonly Citation[]): number {
  const searched = normalize(text);
  const positions = citations.map((citation) =>
    citation.page === page ? searched.lastIndexOf(normalize(citation.quote)) : -2,
  );
  const latest = Math.max(-1, ...positions);
  return positions.indexOf(latest);
}

const normalize = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
