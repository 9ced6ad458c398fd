import { withoutAnnouncement, withoutPreface, withoutRemark } from '../shared/without-remarks.js';

const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * Repairs the Markdown of an answer without changing words: removes a code fence around the whole text and what the model
 * says about its answer before and after it, a rule at its end, closes an open fence and trims white space.
 */
export function proofread(text: string): string {
  const article = withoutRemarks(unwrap(withoutRemarks(text.trim()))).replace(/\n[^\S\n]*\n-{3,}$/, '');
  if (!article) return '';
  const open = openFence(article.split('\n'));
  return open ? `${article}\n${open}` : article;
}

const withoutRemarks = (text: string) => withoutRemark(withoutAnnouncement(withoutPreface(text)));

/** Longest remark after an article in a code block. */
const MAX_REMARK_CHARACTERS = 300;

/** An article within a tag. */
const TAGGED = /^<(article|answer|output|response)>\s*(# [^]*)<\/\1>$/;

/** Models often return Markdown within one code block, and a remark after it. */
function unwrap(text: string): string {
  const tagged = TAGGED.exec(text)?.[2];
  if (tagged !== undefined) return tagged.trim();
  const lines = text.split('\n');
  const [, mark, label] = fence.exec(lines[0] ?? '') ?? [];
  if (!mark || !/^(markdown|md|text|plaintext)?$/i.test(label?.trim() ?? '')) return text;
  const end = lines.findLastIndex((line, index) => index > 0 && line.trim() === mark);
  const after =
    end < 0
      ? ''
      : lines
          .slice(end + 1)
          .join('\n')
          .trim();
  if (after.length > MAX_REMARK_CHARACTERS || /\n\s*\n|^#/m.test(after)) return text;
  const inside = lines.slice(1, end < 0 ? undefined : end);
  const [headings, others] = [/^#{1,6} /, /^(?!#{1,6} )\s*\S/].map((of) =>
    inside.some((line) => of.test(line)),
  );
  // A code block that contains a heading is the whole article, so unwrap it. Other code blocks belong to the article.
  const isArticle = headings && (others || after === '') && !openFence(inside);
  return isArticle ? inside.join('\n').trim() : text;
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
