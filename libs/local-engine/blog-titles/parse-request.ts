import { oneLine } from '#libs/local-engine/text/markdown-text.js';
import { pattern } from '#libs/local-engine/text/pattern.js';
import { unquote } from '#libs/local-engine/text/unquote.js';
import { titleCategories, type TitleCategory } from '#libs/tools/generate-blog-title/contract.js';

/** An instruction around the keyword: "Generate a blog title for the keyword X in the category Y". */
const leadIn = pattern`^
  (?:(?:please|kindly)_)? (?:(?:can|could|would|will)_you_(?:please_)?)?
  (?:generate|create|write|suggest|give|make|brainstorm|provide|produce|list|propose|come_up_with|i_need|i_want)_
  (?:(?:me|us)_)? (?:[^\s.:;,]+,?_){0,8}? (?:titles?|headlines?)\b (?:_[^\s.:;]+){0,4}? \s*
  (?: \s(?:for|about|on|around|using|regarding|with|related_to|based_on)_
      (?:(?:the|this|my|a)_)? (?:(?:following|given)_)?
      (?:(?:blog_post|post|article|blog)_(?:about|on)_)?
      (?:(?:keywords?|topic|subject|theme|phrase|term)\b (?:\s*[:=]|_(?:is|of)\b)?)? \s*
    | : \s* (?:(?:keywords?|topic|subject)\s*[:=]\s*)? )`;

const namedKeyword = pattern`^ (?:keywords?|topic|subject)\s*[:=]\s*`;

const names = titleCategories.join('|');

/** A category at the end: "… in the category Technology", "… (category: Food)", "… for the Travel category". */
const categoryAtEnd = pattern`[\s,;.(|–—-]*
  (?: (?:(?:in|for|under|within|from)_)? (?:(?:the|a)_)? (?:blog_)? category\s*(?:of\b|is\b|[:=])?\s* ["“'‘]?(${names})["”'’]?
    | (?:in|for|under|within)_ (?:the_)? ["“'‘]?(${names})["”'’]?_category ) \s*\)? [\s.,;!)]* $`;

/** A category after the lead-in, before the keyword: "for the category Food about sourdough". */
const categoryAtStart = pattern`^ (?:the_)? (?: category_["“']?(${names})["”']? | ["“']?(${names})["”']?_category ) _(?:about|on|for|and)_
  (?:the_)? (?:keywords?|topic|subject)?\s*[:=]?\s*`;

/** Instructions at the end on length or number: "within 500 words", "at least 10 titles". */
const formAtEnd = pattern`[\s,;.(–—-]*
  (?: (?:with)?in_(?:(?:about|at_most|a_limit_of|a_total_of|under)_)? \d+_words?
    | (?:(?:please_)?(?:give|generate|provide|suggest|include|return|list)_(?:me_)?)? (?:at_least|minimum|exactly|about|with)_ (?:of_)? \d+_(?:different_|catchy_|unique_)?(?:blog_)?(?:titles?|options|suggestions|ideas)
    | \(?max(?:imum)?\.?_ (?:of_)? \d+_words?\)? ) \s*\)? [\s.,;!)]* $`;

/** A sentence at the end with instructions on style or format. */
const styleAtEnd = pattern`(?<=[.!?"”]) \s* (?:please_)?
  (?: (?:the_|each_|all_)?(?:titles?|tone|style|format|list|they|it)\b\s*(?:should|must|need|has|have|are|is|[:=])
    | (?:make|ensure|keep|use|format|output|return|avoid|include|give|provide|do_not|don['’]t)\b )
  [^.!?]* [.!?]? \s* $`;

/**
 * Reads the keyword and the category from a prompt. The keyword is one line of unescaped text, and never empty.
 * @param chosen the category chosen in the form, which takes precedence over a category in the prompt
 */
export function parseTitleRequest(prompt: string, chosen: TitleCategory) {
  const text = oneLine(prompt) || prompt;
  const { rest, category } = withoutTail(text);
  const bare = rest.replace(leadIn, '').replace(namedKeyword, '');
  const before = leadIn.test(rest) ? categoryAtStart.exec(bare) : null;
  const keyword = unquote(bare.slice(before?.[0].length ?? 0).trim()).replace(/(?<=[^.])[.,;]$/u, '');
  const named = category ?? categoryNamed(before?.[1] ?? before?.[2] ?? '');
  return { keyword: keyword || text, category: chosen === 'General' && named ? named : chosen };
}

/** Removes category and format instructions from the end of the prompt. */
function withoutTail(text: string): { rest: string; category: TitleCategory | null } {
  if (!leadIn.test(text) && !namedKeyword.test(text)) return { rest: text, category: null };
  let rest = text;
  let category: TitleCategory | null = null;
  for (;;) {
    const named = categoryAtEnd.exec(rest);
    if (named) category ??= categoryNamed(named[1] ?? named[2] ?? '');
    const shorter = rest.replace(categoryAtEnd, '').replace(formAtEnd, '').replace(styleAtEnd, '').trim();
    if (shorter === rest || !shorter) return { rest, category };
    rest = shorter;
  }
}

const categoryNamed = (name: string) =>
  titleCategories.find((category) => category.toLowerCase() === name.toLowerCase()) ?? null;
