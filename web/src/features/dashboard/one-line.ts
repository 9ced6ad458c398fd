/** The beginning of a text in Markdown as one line for a list, without its marks. It may be cut off anywhere. */
export function oneLine(markdown: string): string {
  return (
    markdown
      .replace(/^[ \t]*(?:(?:#{1,6}|>|[-*+]|\d+\.)[ \t]+)+/gm, '')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\*\*|__|~~|`+/g, '')
      // An emphasis hugs its words; a sign of multiplication has room.
      .replace(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
