import { escapeMarkdown, oneLine } from '#libs/local-engine/text/markdown-text.js';

export interface Sources {
  resume: { text: string; page: number }[];
  job: string | null;
}

export const safe = (text: string): string => escapeMarkdown(oneLine(text));

/** Says how many lines or sentences were left out; empty without any. */
export const droppedNotice = (dropped: number, what: string): string[] =>
  dropped === 0
    ? []
    : [
        `${dropped} ${what}${dropped === 1 ? ' was' : 's were'} left out, since your resume does not support ${dropped === 1 ? 'it' : 'them'}.`,
      ];

/** The sources of a line as list items below it. `text` is not repeated. */
export const sourceLines = ({ resume, job }: Sources, text: string, indent = '  '): string[] => [
  ...resume.map(({ text: quote, page }) =>
    quote === text
      ? `${indent}- *Resume, page ${page}:* these words`
      : `${indent}- *Resume, page ${page}:* “${safe(quote)}”`,
  ),
  ...(job === null ? [] : [`${indent}- *Job description:* “${safe(job)}”`]),
];
