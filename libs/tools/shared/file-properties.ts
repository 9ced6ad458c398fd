import type { PdfDocument } from '#libs/documents/pdf-document.js';
import { labelRanges, nameOfPage } from '#libs/local-engine/pdf-questions/page-labels.js';

const MAX_HEADINGS = 60;
const HEADING_CHARACTERS = 80;

/** What a file says about itself, for an AI service. Headings have the names of their pages. */
export function propertiesOf({ pages, labels, details }: Pick<PdfDocument, 'pages' | 'labels' | 'details'>) {
  const { title, author, created, modified, language, headings = [] } = details ?? {};
  const printed = labelRanges(labels);
  return {
    pages: pages.length,
    ...(printed && { printedPageNumbers: printed }),
    ...{ title, author, created, modified, language },
    ...(headings.length > 0 && {
      headings: headings
        .slice(0, MAX_HEADINGS)
        .map(
          ({ title: heading, page }) =>
            `${heading.slice(0, HEADING_CHARACTERS)}${page === null ? '' : ` [p. ${nameOfPage(page, labels)}]`}`,
        ),
    }),
  };
}
