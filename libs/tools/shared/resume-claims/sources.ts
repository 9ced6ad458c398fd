import { escapeMarkdown, oneLine } from '#libs/local-engine/text/markdown-text.js';

export interface Sources {
  resume: { text: string; page: number }[];
  job: string | null;
}

export const safe = (text: string): string => escapeMarkdown(oneLine(text));

/** The sources of a line as list items below it. `text` is not repeated. */
export const sourceLines = ({ resume, job }: Sources, text: string, indent = '  '): string[] => [
  ...resume.map(({ text: quote, page }) =>
    quote === text
      ? `${indent}- *Resume, page ${page}:* these words`
      : `${indent}- *Resume, page ${page}:* “${safe(quote)}”`,
  ),
  ...(job === null ? [] : [`${indent}- *Job description:* “${safe(job)}”`]),
];
