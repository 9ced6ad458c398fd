const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** A sentence of the model about its answer, as its first line: "Sure! Here's the article you asked for:". */
const PREFACE =
  /^(?:(?:sure|certainly|of course|absolutely|great|okay|ok|gladly|with pleasure)\b[^\n]{0,200}|here(?:’|')?s? (?:is )?(?:an?|the|your|my)\b[^\n]{0,200}\b(?:article|post|piece|text|draft|version)\b[^\n]{0,120})(?:[:.!]|\.\.\.|…)\**\s*$/i;
/** A sentence of the model to its user, as its last paragraph. */
const REMARK =
  /^\**(?:let me know|feel free to|i hope (?:this|you|that)|would you like (?:me|any)|if you(?:’d|'d| would| need| want| have)[^\n]{0,120}(?:let me know|i can|just ask|happy to)|(?:please )?note: this article (?:was|is))\b[^\n]{0,300}$/i;

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

/** The text without a preface before a heading or code block, and without a remark as its last paragraph. */
function withoutRemarks(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const after = rest
    .join('\n')
    .trim()
    .replace(/^-{3,}\n+/, '');
  const isPreface = PREFACE.test(first.trim()) && /^(?:#{1,6} |```|~~~)/.test(after);
  const body = isPreface ? after : text;
  const at = body.lastIndexOf('\n\n');
  const isRemark = at > 0 && REMARK.test(body.slice(at).trim());
  return isRemark
    ? body
        .slice(0, at)
        .trim()
        .replace(/\n+-{3,}$/, '')
    : body;
}

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
