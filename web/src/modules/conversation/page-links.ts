import type { Citation } from '#libs/contract/pdf-chats.js';
import type { PdfLocation } from './pdf/use-pdf';

/** A citation. In a conversation about several documents, it has the document's number and name. */
export interface DocumentCitation extends Citation {
  source?: number;
  document?: string;
}

/** A place in one of several documents. */
export interface CitedLocation extends PdfLocation {
  /** Number of the document; absent in a conversation about one document. */
  source?: number;
}

const PAGE_REFERENCE = /\[(?:(\d{1,5}), )?p\. (\d{1,5})\](?!\()/g;
const PAGE_HREF = /^#(?:source=(\d+)&)?page=(\d+)(?:&cited=(\d+))?$/;

/**
 * Turns the page references of an answer into links: `[p. 3]` opens page 3 and highlights the quote before the reference.
 * `[2, p. 3]` opens page 3 of the document with number 2.
 */
export function linkPages(text: string, citations: readonly DocumentCitation[]): string {
  return text.replace(
    PAGE_REFERENCE,
    (reference: string, source: string | undefined, page: string, offset: number) => {
      const place = { page: Number(page), source: source === undefined ? undefined : Number(source) };
      const cited = lastQuoteBefore(text.slice(0, offset), place, citations);
      const document = source === undefined ? '' : `source=${source}&`;
      const href = `#${document}page=${page}${cited === -1 ? '' : `&cited=${cited}`}`;
      return `[${reference.slice(1, -1)}](${href}${titleOf(citations[cited]?.document)})`;
    },
  );
}

/** Parses the `href` of a page link. @returns null for other links */
export function parsePageLink(
  href: string | null,
  citations: readonly DocumentCitation[],
): CitedLocation | null {
  const [, source, page, cited] = PAGE_HREF.exec(href ?? '') ?? [];
  if (page === undefined) return null;
  const quote = cited === undefined ? undefined : citations[Number(cited)]?.quote;
  return { page: Number(page), quote, ...(source !== undefined && { source: Number(source) }) };
}

/** Among the citations of a page, the index of the quote that comes last in the text, or else of the first citation. */
function lastQuoteBefore(
  text: string,
  place: Pick<DocumentCitation, 'page' | 'source'>,
  citations: readonly DocumentCitation[],
): number {
  const searched = normalize(text);
  const positions = citations.map(({ page, source, quote }) =>
    page === place.page && source === place.source ? searched.lastIndexOf(normalize(quote)) : -2,
  );
  const latest = Math.max(-1, ...positions);
  return positions.indexOf(latest);
}

/** The title of a Markdown link, which names the document; '' without a document. */
const titleOf = (document: string | undefined) =>
  document === undefined ? '' : ` "${document.replace(/\s+/g, ' ').replace(/[\\"&<]/g, '\\$&')}"`;

const normalize = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
