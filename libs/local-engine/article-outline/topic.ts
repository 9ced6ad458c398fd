import { shorten } from '#libs/contract/text.js';
import { oneLine } from '#libs/local-engine/text/markdown-text.js';
import { pattern } from '#libs/local-engine/text/pattern.js';
import { seemsEnglish } from '#libs/local-engine/text/seems-english.js';
import { unquote } from '#libs/local-engine/text/unquote.js';
import { keyTerms, weigh } from './terms.js';

/** Kinds of text that a prompt may request. */
const textKind = '(?:article|blog_post|blog|post|essay|piece|text|write-?up|content|column|feature)';

/**
 * An instruction around the topic: "Write a human-like article about X in 800-1200 words". It needs a verb, a kind of
 * text and a preposition, so that "Write better code" or "Article 50" stay topics.
 */
const leadIn = pattern`^
  (?:(?:please|kindly)_)? (?:(?:can|could|would|will)_you_(?:please_)?)?
  (?:write|generate|create|compose|draft|produce|make|give|i_need|i_want)_ (?:(?:me|us)_)?
  (?:(?:an?|the|one)_)? (?:[^\s.:;,]+,?_){0,6}? ${textKind}s?\b (?:_[^\s.:;]+){0,7}? \s*
  (?: \s(?: about | on | regarding | discussing | explaining | covering | titled | entitled | called | with_the_title
    | on_the_(?:topic|subject)(?:_of)? | on_this_topic | for_the_(?:topic|title) )\b\s*:? | : ) \s*`;

const number = String.raw`\d[\d.,]*`;

/** A length at the end of a prompt: "in 800-1200 words", "in Short (500-800 words)", "Length: …". */
const lengthAtEnd = pattern`[\s,;.(–—-]*
  (?:(?:in|within|using|with|of|at|under|between|limited_to|length\s*[:=]?)_)
  (?:(?:about|around|approximately|roughly|up_to|at_least|exactly|between|the|a|length|of|range)_)*
  (?:(?:short|medium|long)\s*)? \(?\s*
  ${number}\s* (?: (?:-|–|—|to|and)\s*${number} | \+ )? \s*words? \)?
  (?:_(?:long|in_length|or_(?:so|less|more)))? [\s.!)]* $`;

/** A sentence at the end of a prompt with instructions on style. */
const manner = pattern`(?<=[.!?\n"”]) \s* (?:please_)?
  (?: (?:the_)?(?:article|tone|style|content|length|text|format|it|language)\b\s*(?:should|must|needs|has|[:=])
    | (?:make|ensure|keep|use|format|output|return|avoid|include|add|do_not|don['’]t|write_it|aim_for|limit)\b )
  [^.!?\n]* [.!?]? \s* $`;

const namedTopic = pattern`(?:^|[\s.;,]) (?:topic|subject|title)\s*[:=]\s* (\S[^\n]*)`;
const asksForWriting = pattern`^ \W* (?:please_)? (?:write|generate|create|compose|draft|produce)\b`;

/** The topic of a prompt. Its texts are not escaped for Markdown. */
export interface Topic {
  /** The prompt without its instruction ("Write an article about"), with line breaks. */
  text: string;
  /** The topic in one line of at most 120 characters. */
  headline: string;
  /** Up to six of the most relevant sentences of a long topic, in order. */
  points: string[];
  isEnglish: boolean;
}

const HEADLINE_LETTERS = 120;
const POINT_LETTERS = 200;
const MAX_POINTS = 6;

export function readTopic(prompt: string): Topic {
  const text = withoutInstruction(prompt);
  const line = oneLine(text) || oneLine(prompt) || 'Untitled';
  const isEnglish = seemsEnglish(line);
  if (shorten(line, HEADLINE_LETTERS) === line) return { text, headline: line, points: [], isEnglish };

  const passages = passagesOf(text);
  const terms = keyTerms(passages.join('\n'));
  const ranked = passages
    .map((passage, index) => ({ passage, index, weight: weigh(passage, terms) / Math.sqrt(passage.length) }))
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  // A short first line is a title. Without a title, the most relevant sentence is the headline.
  const first = passages[0] ?? line;
  const headline =
    text.includes('\n') && first.length <= HEADLINE_LETTERS ? first : (ranked[0]?.passage ?? line);
  const points = ranked
    .filter(({ passage }) => passage !== headline || passage.length > HEADLINE_LETTERS)
    .slice(0, MAX_POINTS)
    .sort((a, b) => a.index - b.index)
    .map(({ passage }) => shorten(passage, POINT_LETTERS));
  return { text, headline: shorten(headline, HEADLINE_LETTERS), points, isEnglish };
}

/** The sentences of each line, without list and heading markers. */
function passagesOf(text: string): string[] {
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  const passages = text
    .split(/\r?\n/)
    .flatMap((line) =>
      Array.from(sentences.segment(line.replace(/^[\s>#*•–-]+|^\s*\d+[.)]\s+/u, '')), (s) =>
        oneLine(s.segment),
      ),
    )
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  return [...new Set(passages)];
}

/** Removes an instruction such as "Write an article about". The result is empty only for an empty prompt. */
function withoutInstruction(prompt: string): string {
  const text = prompt.trim();
  const lead = leadIn.exec(text);
  const named = namedTopic.exec(text);
  // A named topic: "Write an article of 800 words. Topic: X", "Topic: X".
  if (named?.[1] && (named.index === 0 || asksForWriting.test(text))) {
    return unquote(withoutManner(named[1])) || text;
  }
  return lead ? unquote(withoutManner(text.slice(lead[0].length))) || text : unquote(text);
}

function withoutManner(topic: string): string {
  let rest = topic;
  for (;;) {
    const shorter = rest.replace(lengthAtEnd, '').replace(manner, '').trim();
    // Removes the instruction's full stop, but not an ellipsis.
    if (shorter === rest) return rest.replace(/(?<=[^.])\.$/, '').trim();
    rest = shorter;
  }
}
