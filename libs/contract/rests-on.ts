/** The heading of the last section of a text that shows its sources; what stands before it is what a reader gets. */
export const RESTS_ON_HEADING = 'What this rests on';

const SOURCE = /^[ \t]+[-*+] [*_]{1,2}(?:Resume, page \d+|Job description):/;

/** A Markdown text as it is sent to somebody: of one with such a section, neither its title nor its sources. */
export function withoutSources(markdown: string): string {
  const lines = markdown.split('\n');
  const end = lines.findIndex((line) => line.trimEnd() === `## ${RESTS_ON_HEADING}`);
  if (end < 0) return markdown;
  const text = lines
    .slice(0, end)
    .filter((line, index) => !SOURCE.test(line) && !(index === 0 && line.startsWith('# ')));
  return `${text.join('\n').trim()}\n`;
}
