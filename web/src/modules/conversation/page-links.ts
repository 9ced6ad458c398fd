import { PAGE_NAME } from '#libs/contract/page-labels.js';
import type { Citation } from '#libs/contract/pdf-chats.js';
import { ignoreErrors } from '../../shared/lib/ignore-errors';
import type { PdfLocation } from './pdf/use-pdf';

/** A citation. In a conversation about several documents, it has the document's number and name. */
export interface DocumentCitation extends Citation {
  source?: number;
  document?: string;
}

/** A place in one of several documents. */
export type CitedLocation = PdfLocation & {
  /** Number of the document; absent in a conversation about one document. */
  source?: number;
};

/** A page by its number or printed label, such as `[p. 3]`, `[p. xii]`, `[p. A-1]` or, of several documents, `[2, p. 3]`. */
const PAGE_REFERENCE = new RegExp(String.raw`\[(?:(\d{1,5}), )?p\. (${PAGE_NAME})\](?!\()`, 'gu');
const PAGE_HREF = /^#(?:source=(\d+)&)?(page|label)=([^&]+?)(?:&cited=(\d+))?$/;

/**
 * Turns the page references of an answer into links: `[p. 3]` opens page 3 and highlights the quote before the reference.
 * `[2, p. 3]` opens page 3 of the document with number 2. If a document has printed labels, references and citations name its
 * pages by their labels. Without a citation the viewer, which knows the labels, finds the page.
 */
export function linkPages(text: string, citations: readonly DocumentCitation[]): string {
  return text.replace(
    PAGE_REFERENCE,
    (reference: string, number: string | undefined, name: string, offset: number) => {
      const source = number === undefined ? undefined : Number(number);
      const ofDocument = citations.filter((citation) => citation.source === source);
      const cited = lastQuoteBefore(text.slice(0, offset), { name, source }, citations);
      const { page, document } = citations[cited] ?? {};
      const byNumber = /^\d+$/.test(name) && ofDocument.some(({ label }) => label === undefined);
      const target =
        page === undefined
          ? byNumber
            ? `page=${name}`
            : `label=${encodeURIComponent(name)}`
          : `page=${page}&cited=${cited}`;
      const prefix = source === undefined ? '' : `source=${source}&`;
      return `[${reference.slice(1, -1)}](#${prefix}${target}${titleOf(document)})`;
    },
  );
}

/** Parses the `href` of a page link. @returns null for other links */
export function parsePageLink(
  href: string | null,
  citations: readonly DocumentCitation[],
): CitedLocation | null {
  const [, source, kind, target, cited] = PAGE_HREF.exec(href ?? '') ?? [];
  if (target === undefined) return null;
  const rest = {
    quote: cited === undefined ? undefined : citations[Number(cited)]?.quote,
    ...(source !== undefined && { source: Number(source) }),
  };
  if (kind === 'label') return { label: ignoreErrors(() => decodeURIComponent(target)) ?? target, ...rest };
  return /^\d{1,6}$/.test(target) ? { page: Number(target), ...rest } : null;
}

/** The printed label of a citation's page, or else its number. */
export const pageNameOf = ({ page, label }: Pick<Citation, 'page' | 'label'>): string =>
  label ?? String(page);

/** Among the citations of a page, the index of the quote that comes last in the text, or else of the first citation. */
function lastQuoteBefore(
  text: string,
  place: { name: string; source: number | undefined },
  citations: readonly DocumentCitation[],
): number {
  const searched = normalize(text);
  const positions = citations.map((citation) =>
    pageNameOf(citation) === place.name && citation.source === place.source
      ? searched.lastIndexOf(normalize(citation.quote))
      : -2,
  );
  const latest = Math.max(-1, ...positions);
  return positions.indexOf(latest);
}

/** The title of a Markdown link, which names the document; '' without a document. */
const titleOf = (document: string | undefined) =>
  document === undefined ? '' : ` "${document.replace(/\s+/g, ' ').replace(/[\\"&<]/g, '\\$&')}"`;

const normalize = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
