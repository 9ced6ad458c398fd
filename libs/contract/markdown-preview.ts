/** Characters of a text that are read for its title and description. */
const READ_CHARACTERS = 2_000;

/** The first heading of a Markdown text, or else the start of it, as one line without markup. */
export function markdownTitle(markdown: string): string {
  const start = markdown.slice(0, READ_CHARACTERS);
  const heading = /^ {0,3}#{1,6}[ \t]+(\S.*)$/m.exec(start)?.[1];
  return markdownPreview(heading ?? start);
}

/** The start of it below its heading, as one line without markup. */
export const markdownSummary = (markdown: string): string =>
  markdownPreview(markdown.slice(0, READ_CHARACTERS).replace(/^ {0,3}#[ \t]+.*$/m, ''));

/** The start of a Markdown text as one line without markup. The text may be cut off anywhere. */
export function markdownPreview(markdown: string): string {
  return (
    markdown
      .replace(/^[ \t]*(?:(?:#{1,6}|>|[-*+]|\d+\.)[ \t]+)+/gm, '')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\*\*|__|~~|`+/g, '')
      // Emphasis touches its words; a multiplication sign has spaces around it.
      .replace(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
