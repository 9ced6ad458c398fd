import { escapeMarkdown, oneLine } from '#libs/local-engine/text/markdown-text.js';

export interface Sources {
  resume: { text: string; page: number }[];
  job: string | null;
}

export const safe = (text: string): string => escapeMarkdown(oneLine(text));

/** Lines that say how many sentences or lines were left out; empty if none were. @param what the noun, such as "sentence" */
export const droppedNotice = (dropped: number, what: string): string[] =>
  dropped === 0
    ? []
    : [
        `${dropped} ${what}${dropped === 1 ? ' was' : 's were'} left out, since your resume does not support ${dropped === 1 ? 'it' : 'them'}.`,
      ];

/** The sources of a line as nested list items. A source that equals `text` is not repeated. */
export const sourceLines = ({ resume, job }: Sources, text: string, indent = '  '): string[] => [
  ...resume.map(({ text: quote, page }) =>
    quote === text
      ? `${indent}- *Resume, page ${page}:* these words`
      : `${indent}- *Resume, page ${page}:* “${safe(quote)}”`,
  ),
  ...(job === null ? [] : [`${indent}- *Job description:* “${safe(job)}”`]),
];
