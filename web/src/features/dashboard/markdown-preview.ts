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
