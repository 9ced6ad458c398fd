import type { NotebookCitation } from '#libs/contract/notebooks.js';
import type { Citation } from '#libs/contract/pdf-chats.js';
import type { SourceDocument } from '#libs/notebooks/notebook-documents.js';

/** A page of one of the documents. */
export interface Place {
  /** The document's number in its notebook. */
  source: number;
  page: number;
}

/** The pages of several documents, one after the other, so that they are searched and quoted like one document. */
export interface JoinedSources {
  pages: string[];
  /** The index of each document's first page. */
  starts: number[];
  /** The place of a joined page, by its number from 1. */
  placeOf(page: number): Place;
  cite(citation: Citation): NotebookCitation;
  /** Replaces marks of places, such as `[2, p. 3]`, by marks of joined pages, such as `[p. 17]`. Removes unknown places. */
  toJoined(text: string): string;
  /** Replaces marks of joined pages by marks of places. */
  fromJoined(text: string): string;
}

/** The mark `[2, p. 3]`, and variants that models write. */
const PLACE =
  /[[【]\s*(?:source|document|doc\.?|no\.?|#)?\s*(\d{1,4})\s*[,;:.]?\s*(?:pp?|pages?|s|seiten?)\.?\s*(\d{1,5})[^\]】\n]{0,20}[\]】]/giu;
const JOINED = /\[p\. (\d+)\]/g;

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
  const first = new Map(documents.map(({ source }, at) => [source, starts[at] ?? 0]));
  const numbers = new Map(documents.map((document) => [document.source, document.pages.length]));
  const at = (page: number) => {
    const place = places[page - 1];
    if (!place) throw new Error(`There is no joined page ${page}.`);
    return place;
  };
  return {
    pages: documents.flatMap(({ pages }) => pages),
    starts,
    placeOf: (page) => ({ source: at(page).document.source, page: at(page).page }),
    cite(citation) {
      const { document, page } = at(citation.page);
      return { ...citation, page, source: document.source, documentId: document.id, document: document.name };
    },
    toJoined: (text) =>
      text.replace(PLACE, (_, source: string, page: string) => {
        const start = first.get(Number(source));
        if (start === undefined || Number(page) < 1 || Number(page) > (numbers.get(Number(source)) ?? 0))
          return '';
        return `[p. ${start + Number(page)}]`;
      }),
    fromJoined: (text) =>
      text.replace(JOINED, (mark, page: string) => {
        const place = places[Number(page) - 1];
        return place ? `[${place.document.source}, p. ${place.page}]` : mark;
      }),
  };
}
