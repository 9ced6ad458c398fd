import type { NotebookCitation } from '#libs/contract/notebooks.js';
import { PAGE_NAME } from '#libs/contract/page-labels.js';
import type { Citation } from '#libs/contract/pdf-chats.js';
import { labelOf, pageWithLabel, placeOfPage } from '#libs/local-engine/pdf-questions/page-labels.js';
import type { SourceDocument } from '#libs/notebooks/notebook-documents.js';

/** A page of one of the documents. */
export interface Place {
  /** The document's number in its notebook. */
  source: number;
  /** The number printed on the page, or its place in the file. */
  page: string;
}

/** The pages of several documents, one after the other, so that they are searched and quoted like one document. */
export interface JoinedSources {
  pages: string[];
  /** The index of each document's first page. */
  starts: number[];
  /** The printed numbers of the pages, if there is one document; the joined pages of several have none. */
  labels: string[] | null;
  /** The place of a joined page, by its number from 1. */
  placeOf(page: number): Place;
  cite(citation: Citation): NotebookCitation;
  /** Replaces marks of places, such as `[2, p. 3]`, by marks of joined pages, such as `[p. 17]`. Removes unknown places. */
  toJoined(text: string): string;
  /** Replaces marks of joined pages by marks of places. */
  fromJoined(text: string): string;
}

/** The mark `[2, p. 3]`, and variants that models write. */
const PLACE = new RegExp(
  String.raw`[[【]\s*(?:source|document|doc\.?|no\.?|#)?\s*(\d{1,4})\s*[,;:.]?\s*(?:pages?|pp?|seiten?|s)(?:\.\s*|\s+|(?=\d))(${PAGE_NAME})[^\]】\n]{0,20}[\]】]`,
  'giu',
);
/** The mark of a joined page, by its number or, with labels, by its printed number. */
const JOINED = new RegExp(String.raw`\[p\. (${PAGE_NAME})\]`, 'gu');

const FIRST_WORD = /^[\p{L}\p{N}]+(?:[./–-][\p{L}\p{N}]+)*/u;

export function joinSources(documents: SourceDocument[]): JoinedSources {
  const places = documents.flatMap((document) =>
    document.pages.map((_, index) => ({ document, page: index + 1 })),
  );
  const starts: number[] = [];
  let next = 0;
  for (const { pages } of documents) {
    starts.push(next);
    next += pages.length;
  }
  const labels = documents.length === 1 ? (documents[0]?.labels ?? null) : null;
  const at = (page: number) => {
    const place = places[page - 1];
    if (!place) throw new Error(`There is no joined page ${page}.`);
    return place;
  };
  const printed = (document: SourceDocument, page: number) => labelOf(page, document.labels) ?? `${page}`;
  return {
    pages: documents.flatMap(({ pages }) => pages),
    starts,
    labels,
    placeOf(number) {
      const { document, page } = at(number);
      return { source: document.source, page: printed(document, page) };
    },
    cite({ page: number, quote }) {
      const { document, page } = at(number);
      const { source, id: documentId, name } = document;
      const label = labelOf(page, document.labels);
      return { source, documentId, document: name, page, ...(label !== null && { label }), quote };
    },
    toJoined: (text) =>
      text.replace(PLACE, (_, source: string, page: string) => {
        const index = documents.findIndex((document) => document.source === Number(source));
        const document = documents[index];
        const found = document && findPage(document, page);
        return found ? `[p. ${labels ? printed(document, found) : starts[index]! + found}]` : '';
      }),
    fromJoined: (text) =>
      text.replace(JOINED, (mark, page: string) => {
        const number = labels ? pageWithLabel(page, labels) : Number(page);
        const place = places[(number ?? Number(page)) - 1];
        return place ? `[${place.document.source}, p. ${printed(place.document, place.page)}]` : mark;
      }),
  };
}

/** The page that a mark names, whatever follows its name in the mark; null if the document has no such page. */
function findPage({ pages, labels }: SourceDocument, text: string): number | null {
  const page = placeOfPage(text, labels) ?? placeOfPage(FIRST_WORD.exec(text)?.[0] ?? '', labels);
  return page !== null && page >= 1 && page <= pages.length ? page : null;
}
