import { isEnglishWord } from '#libs/local-engine/text/english-words.js';
import { foreignLanguages, type ResumeLanguage } from '../languages/languages.js';
import type { Token } from '../tokens.js';
import words from './find-skills.json' with { type: 'json' };
import { technologyProducts, type Skill } from './skills.js';

/** What decides the meaning of a word in a text: "Chef" is a product among technology, and a profession elsewhere. */
export interface TextContext {
  language: ResumeLanguage;
  /** True if the text is about technology. */
  isTechnical: boolean;
}

/** A term of a skill that is also an everyday word or initials, at a position of a text. */
interface AmbiguousTerm {
  text: string;
  tokens: Token[];
  /** Index of its first word in `tokens`. */
  at: number;
  term: Token[];
  skill: Skill;
  context: TextContext;
  /** True if a word is a skill by itself. @param orAmbiguous whether terms with another meaning count */
  isSkill: (token: Token, orAmbiguous: boolean) => boolean;
}

const BEFORE_SKILL = new Set(words.beforeSkill);
/** Words before which a capitalised everyday word names a technology. */
const AFTER_NAME = new Set(words.afterName);
const SMALL = new Set(['in', 'for', 'with', 'on', 'at', 'is']);
const AFTER_SKILL = new Set(words.afterSkill);

/** "Written in R", "with C". */
const WRITTEN_IN = new Set(['in', 'with', 'using', 'mit', 'en', 'avec', 'con']);

/** The part of a long line that is read around a term. */
const REACH = 200;

/**
 * True if an ambiguous term is meant here: written in its own case, and between separators or words that go with a
 * skill; or in any case in a list of skills. "Go services" and "python, go" are; "Go to market" and "You will go" are not.
 */
export function isMeant(found: AmbiguousTerm): boolean {
  const { text, tokens, at, term, skill, context } = found;
  const first = tokens[at];
  const last = tokens[at + term.length - 1];
  if (!first || !last) return false;
  if (!term.every((word, offset) => tokens[at + offset]?.text === word.text))
    return isListed(found, first, last);
  const before = text.slice(Math.max(tokens[at - 1]?.end ?? 0, first.start - REACH), first.start);
  const after = text.slice(
    last.end,
    Math.min(tokens[at + term.length]?.start ?? text.length, last.end + REACH),
  );
  if (/^[A-Z\d]{2,}s?$/.test(first.text)) return !isInCapitals(text, first) || isListed(found, first, last);
  const isProduct = technologyProducts.has(skill);
  if (isProduct && !context.isTechnical && isEnglishWord(first.lower)) return false;
  const letter = first.text.length === 1;
  const foreign = foreignLanguages.get(context.language);
  if (foreign && !letter && !foreign.everyday.includes(first.lower)) return true;
  // "R&D" and initials of names are no skills.
  if ((letter ? /^\s?[&'’]\s?$/u : /^[&'’]$/u).test(after)) return false;
  if (letter && /^\.\s/.test(after) && !/[,/(]\s*$/.test(before)) return false;
  const beginsLine = at === 0 || before.includes('\n');
  const isBeside = (gap: string, token: Token | undefined) =>
    gap === ' & ' && token !== undefined && found.isSkill(token, true);
  const separatedBefore = /[,;:/|•·(+–—-]/u.test(before) || beginsLine || isBeside(before, tokens[at - 1]);
  const endsLine = at + term.length >= tokens.length || after.includes('\n') || /[.]/.test(after);
  const separatedAfter =
    /[,;/|•·)(+–—]/u.test(after) || endsLine || isBeside(after, tokens[at + term.length]);
  if (
    letter &&
    beginsLine &&
    (after.includes('\n') || at + term.length >= tokens.length) &&
    !/[^\s•·*–—-]/u.test(before + after)
  )
    return true;
  const fitsBefore = separatedBefore || BEFORE_SKILL.has(tokens[at - 1]?.lower ?? '');
  const next = tokens[at + term.length]?.lower ?? '';
  // At the beginning of a sentence any word has a capital: "Spring is here", "Excel at what you do".
  const beginsSentence = beginsLine || /[.!?]\s+$/.test(before);
  const fitsAfter = separatedAfter || (AFTER_SKILL.has(next) && !(beginsSentence && SMALL.has(next)));
  if (letter) {
    const isWritten = context.isTechnical && WRITTEN_IN.has(tokens[at - 1]?.lower ?? '') && before === ' ';
    return fitsBefore && fitsAfter && ((isWritten && separatedAfter) || namesOtherLanguage(text, first));
  }
  if ((fitsBefore && fitsAfter) || AFTER_NAME.has(next)) return true;
  return !beginsSentence && isNameInSentence(tokens[at - 1], before, tokens[at + term.length], after);
}

/** True for one capitalised word among words in lower case: "we use React daily", not "Taylor Swift" or "Spring 2020". */
const isNameInSentence = (
  previous: Token | undefined,
  before: string,
  next: Token | undefined,
  after: string,
) =>
  previous !== undefined &&
  before === ' ' &&
  /^\p{Ll}/u.test(previous.text) &&
  (/^[.,;:)]/.test(after) || (after === ' ' && next !== undefined && /^\p{Ll}/u.test(next.text)));

/** True if a term is an item of a list that has another skill: "python, go, rust". */
function isListed({ text, tokens, at, isSkill }: AmbiguousTerm, first: Token, last: Token): boolean {
  const before = /(?:^|[,;:/|•·\n]|\b(?:and|or|und|et|y|e|en|i))\s*$/u.test(
    text.slice(Math.max(0, first.start - 12), first.start),
  );
  const after = /^\s*(?:$|[,;/|•·\n.)]|(?:and|or|und|et|y|e|en|i)\b)/u.test(
    text.slice(last.end, last.end + 12),
  );
  if (!before || !after) return false;
  const [start, end] = lineAround(text, first);
  const line = text.slice(start, end);
  // "We rest, react and recover" has no separate items.
  if (!/[,;/|•·]/u.test(line)) return false;
  const others = tokens
    .slice(Math.max(0, at - 12), at + 13)
    .filter((token) => token.start >= start && token.end <= end && token !== first);
  if (others.filter((token) => isSkill(token, false)).length >= (first.text.length === 1 ? 2 : 1))
    return true;
  // "Nice to have: spark, go" is a list of terms that are ambiguous each.
  const items: string[] = line.slice(line.indexOf(':') + 1).match(/[\p{L}\p{N}+#]+/gu) ?? [];
  return (
    first.text.length > 1 &&
    others.filter((token) => items.includes(token.text) && isSkill(token, true)).length >= items.length - 1
  );
}

/** A heading in capitals makes initials of any word. */
function isInCapitals(text: string, token: Token): boolean {
  const line = text.slice(...lineAround(text, token));
  return !/\p{Ll}/u.test(line) && (line.match(/\p{Lu}{3,}/gu)?.length ?? 0) >= 3 && !/[,;/|•·]/u.test(line);
}

/** Start and end of the line of a token, at most {@link REACH} characters away. */
function lineAround(text: string, { start, end }: Token): [number, number] {
  const from = Math.max(0, start - REACH);
  const line = text.slice(from, end + REACH);
  const before = line.lastIndexOf('\n', start - from - 1);
  const after = line.indexOf('\n', end - from);
  return [start === from ? from : from + before + 1, after < 0 ? from + line.length : from + after];
}

/** A single letter is a programming language only on a line with other signs of programming. */
const namesOtherLanguage = (text: string, letter: Token): boolean =>
  /\b(?:programming|languages?|python|sql|java|javascript|sas|spss|stata|matlab|rust|go|scala|julia|statisti\w*|tableau|linux|embedded|firmware|programmier\w*|programmation|programación|programmazione|programação|programowani\w*)\b|c\+\+|c#|f#|\.net/i.test(
    text.slice(...lineAround(text, letter)),
  );
