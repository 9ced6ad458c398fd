const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * Puts right what models get wrong in the form of an answer, never its words: a code fence around the whole text is
 * taken off, one left open at the end is closed, and white space around the text goes: a sound text is, to the
 * character, what was streamed. Empty for an empty answer.
 */
export function proofread(text: string): string {
  const article = withoutWrapping(text.trim());
  if (!article) return '';
  const open = openFence(article.split('\n'));
  return open ? `${article}\n${open}` : article;
}

/** Models asked for Markdown often hand it over as one code block. */
function withoutWrapping(text: string): string {
  const lines = text.split('\n');
  const [, mark, label] = fence.exec(lines[0] ?? '') ?? [];
  if (!mark || !/^(markdown|md)?$/i.test(label?.trim() ?? '')) return text;
  const closed = lines.length > 1 && lines.at(-1)?.trim() === mark;
  const inside = lines.slice(1, closed ? -1 : undefined);
  // A plain block is the whole text only when it holds what an article holds.
  return inside.some((line) => /^#{1,6} /.test(line)) && !openFence(inside) ? inside.join('\n').trim() : text;
}

/** The mark that would close a code fence left open, or null. */
function openFence(lines: string[]): string | null {
  let open: string | null = null;
  for (const line of lines) {
    const [, mark, rest] = fence.exec(line) ?? [];
    if (!mark) continue;
    if (!open) open = mark;
    else if (mark[0] === open[0] && mark.length >= open.length && !rest?.trim()) open = null;
  }
  return open;
}
