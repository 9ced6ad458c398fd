import type { Citation } from '#libs/contract/pdf-chats.js';
import type { PdfPlace } from './pdf/use-pdf';

const MARK = /\[p\. (\d{1,5})\](?!\()/g;
const ADDRESS = /^#page=(\d+)(?:&cited=(\d+))?$/;

/** Makes links of the pages that an answer names: `[p. 3]` leads to page 3 and to the quotation it stands behind. */
export function linkPages(text: string, citations: readonly Citation[]): string {
  return text.replace(MARK, (mark: string, number: string, at: number) => {
    const cited = quotedBefore(text.slice(0, at), Number(number), citations);
    return `[${mark.slice(1, -1)}](#page=${number}${cited === -1 ? '' : `&cited=${cited}`})`;
  });
}

/** Where such a link leads; null for any other address. */
export function placeOf(address: string | null, citations: readonly Citation[]): PdfPlace | null {
  const [, page, cited] = ADDRESS.exec(address ?? '') ?? [];
  if (page === undefined) return null;
  return { page: Number(page), quote: cited === undefined ? undefined : citations[Number(cited)]?.quote };
}

/** Of the quotations from this page, the one that the text has last; else the first. */
function quotedBefore(text: string, page: number, citations: readonly Citation[]): number {
  const before = plain(text);
  const places = citations.map((citation) =>
    citation.page === page ? before.lastIndexOf(plain(citation.quote)) : -2,
  );
  const latest = Math.max(-1, ...places);
  return places.indexOf(latest);
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
