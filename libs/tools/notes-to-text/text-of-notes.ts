import type { NotebookDocument, NotebookNote } from '#libs/contract/notebooks.js';
import { escapeMarkdown, inlineCode } from '#libs/local-engine/text/markdown-text.js';

/** The mark of a place, such as `[2, p. 3]` or `[2, p. Annex 1]`. */
const PLACE = /[ \t]*\[(\d+), p\. ([^\]\n]{1,40})\]/g;

/**
 * Joins notes to a Markdown text with a footnote for each place, which names document and page. A place that is marked
 * several times has one footnote.
 */
export function textOfNotes(
  title: string,
  notes: Pick<NotebookNote, 'content' | 'citations'>[],
  documents: Pick<NotebookDocument, 'source' | 'name'>[],
): string {
  const footnotes: string[] = [];
  const numberOf = (footnote: string) => {
    if (!footnotes.includes(footnote)) footnotes.push(footnote);
    return footnotes.indexOf(footnote) + 1;
  };
  const texts = notes.map(({ content, citations }) =>
    content.replace(PLACE, (_, source: string, page: string) => {
      const number = Number(source);
      // The name at the time of the answer, since the document may have been removed.
      const name =
        citations.find((citation) => citation.source === number)?.document ??
        documents.find((document) => document.source === number)?.name ??
        `Document ${source}`;
      return `[^${numberOf(`${inlineCode(name)}, p. ${page}`)}]`;
    }),
  );
  const definitions = footnotes.map((footnote, index) => `[^${index + 1}]: ${footnote}`);
  return [`# ${escapeMarkdown(title)}`, ...texts, definitions.join('\n')].filter(Boolean).join('\n\n');
}
