import { withoutAnnouncement, withoutPreface, withoutRemark } from '../shared/without-remarks.js';

const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * Repairs the Markdown of an answer without changing words: removes a code fence around the whole text and what the model
 * says about its answer before and after it, closes an open fence and trims white space.
 */
export function proofread(text: string): string {
  const article = withoutRemarks(unwrap(withoutRemarks(text.trim())));
  if (!article) return '';
  const open = openFence(article.split('\n'));
  return open ? `${article}\n${open}` : article;
}

const withoutRemarks = (text: string) => withoutRemark(withoutAnnouncement(withoutPreface(text)));

/** Models often return Markdown within one code block. */
function unwrap(text: string): string {
  const lines = text.split('\n');
  const [, mark, label] = fence.exec(lines[0] ?? '') ?? [];
  if (!mark || !/^(markdown|md)?$/i.test(label?.trim() ?? '')) return text;
  const closed = lines.length > 1 && lines.at(-1)?.trim() === mark;
  const inside = lines.slice(1, closed ? -1 : undefined);
  // A code block that contains a heading is the whole article, so unwrap it. Other code blocks belong to the article.
  return inside.some((line) => /^#{1,6} /.test(line)) && !openFence(inside) ? inside.join('\n').trim() : text;
}

/** The characters that close the text's open code fence; null if no fence is open. */
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
