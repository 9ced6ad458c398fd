/** A line of Markdown without its marks. */
export const plainLine = (line: string): string =>
  line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)|`/g, (mark, at: number) =>
      line[at - 1] === '\\' ? mark : '',
    )
    .replace(/\\([\\`*_[\]<>|~#&.()!-])/g, '$1')
    .trim();

/** The heading of a text in Markdown; null where it has none. */
export const headingOf = (content: string): string | null =>
  plainLine(/^# (.+)$/m.exec(content)?.[1] ?? '') || null;
