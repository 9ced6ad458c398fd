import nlp from 'compromise';
import { createQuoteFinder } from '#libs/local-engine/text/find-quote.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import { findSkills, withImplying, type SkillMention } from '#libs/local-engine/resume/skills/find-skills.js';
import { tokenise, type Token } from '#libs/local-engine/resume/tokens.js';
import { isEnglishWord } from '#libs/local-engine/text/english-words.js';
import { cardinals } from '#libs/local-engine/text/spelled-numbers.js';
import words from './resume-facts.json' with { type: 'json' };

/** A fact in a text about a resume that the resume does not have. */
export interface UnsupportedFact {
  kind: 'number' | 'name' | 'skill' | 'quotation' | 'link';
  start: number;
  end: number;
}

/** How strictly a text is checked: a `rewriting` most strictly, as it speaks for the user; a `quotation` must match exactly. */
export type TextKind = 'remark' | 'heading' | 'rewriting' | 'quotation';

export interface ResumeFacts {
  /** Finds facts in `text` that the resume does not have. Placeholders in square brackets are ignored. */
  unsupportedFacts(text: string, kind: TextKind): UnsupportedFact[];
}

/** Words that are not names even if they are capitalised, such as section titles. */
const VOCABULARY = new Set(words.vocabulary);

const NUMBER = /(?:[$€£¥]\s?)?\d+(?:[.,]\d+)*(?:\s?%|\s?percent\b)?/g;
const NUMBER_WORD = new RegExp(
  String.raw`\b(?:${[...cardinals.keys()].slice(2).join('|')}|dozens?|hundreds?|thousands?|millions?|billions?|half|halved|doubled|doubling|tripled|tripling|quadrupled|twofold|threefold|tenfold)\b`,
  'gi',
);
const QUOTATION = /“([^”]+)”|"([^"]+)"|«([^»]+)»|„([^“”]+)[“”]/g;
/** Shorter quotations are not checked, because quotation marks around one or two words often just mention a word. */
const MIN_QUOTED_WORDS = 3;

export function createResumeFacts({ text, pages }: Pick<Resume, 'text' | 'pages'>): ResumeFacts {
  const words = new Set(tokenise(text).map(({ lower }) => lower));
  const numbers = new Set(Array.from(text.matchAll(NUMBER), ([number]) => digitsOf(number)));
  const percents = new Set(
    Array.from(text.matchAll(NUMBER), ([number]) => number)
      .filter(isPercent)
      .map(digitsOf),
  );
  const amounts = new Set(
    Array.from(text.matchAll(NUMBER), ([number]) => number)
      .filter(isAmount)
      .map(digitsOf),
  );
  const skills = new Set(findSkills(text).map(({ skill }) => skill));
  const findQuote = createQuoteFinder(pages);

  const hasNumber = (number: string) => {
    const digits = digitsOf(number);
    if (isPercent(number)) return percents.has(digits);
    return isAmount(number) ? amounts.has(digits) : numbers.has(digits);
  };
  const hasWord = (word: string) => words.has(word) || (word.endsWith('s') && words.has(word.slice(0, -1)));

  function* numbersIn(line: string, kind: TextKind): Generator<UnsupportedFact> {
    for (const { 0: number, index } of line.matchAll(NUMBER)) {
      // Skip digits within a word ("B2B", "HTML5"): they are part of a name.
      if (/[\p{L}]$/u.test(line.slice(0, index)) || hasNumber(number)) continue;
      yield { kind: 'number', start: index, end: index + number.length };
    }
    if (kind !== 'rewriting') return;
    for (const { 0: word, index } of line.matchAll(NUMBER_WORD)) {
      const value = cardinals.get(word.toLowerCase());
      if (hasWord(word.toLowerCase()) || numbers.has(String(value))) continue;
      yield { kind: 'number', start: index, end: index + word.length };
    }
  }

  /** True if the text may mention the skill: the resume has it by any name, or its name is an everyday word. */
  const isSupported = (line: string, { skill, start, end }: SkillMention) =>
    skill.isEveryday ||
    withImplying(skill).some((other) => skills.has(other)) ||
    // The resume may contain the words of the skill's name separately.
    tokenise(line.slice(start, end)).every(({ lower }) => hasWord(lower));

  function* skillsIn(line: string): Generator<UnsupportedFact> {
    for (const mention of findSkills(line)) {
      if (!isSupported(line, mention)) yield { kind: 'skill', start: mention.start, end: mention.end };
    }
  }

  function* namesIn(line: string, kind: TextKind): Generator<UnsupportedFact> {
    const known = findSkills(line).filter((mention) => isSupported(line, mention));
    const tokens = tokenise(line);
    const isForeign = ({ text: word, lower }: Token) =>
      /^\p{Lu}/u.test(word) && !hasWord(lower) && !VOCABULARY.has(lower);
    for (const [index, token] of tokens.entries()) {
      const { text: word, lower, start, end } = token;
      if (!isForeign(token) || known.some((mention) => mention.start <= start && end <= mention.end))
        continue;
      const isSpelledAsName = /^\p{Lu}[\p{Lu}\d]+$/u.test(word) || /\p{Ll}\p{Lu}/u.test(word);
      const inTitle = kind === 'heading' || beginsPhrase(line, start) || isBold(line, start);
      // A single ordinary word can be capitalised at the start of a title, sentence or example ("Built, Reduced"). Two
      // adjacent capitalised words within a sentence are a name; in a rewriting, even a single word is a name.
      const inName =
        !inTitle &&
        (kind === 'rewriting' ||
          [tokens[index - 1], tokens[index + 1]].some((other) => isAdjacent(line, token, other, isForeign)));
      if (isSpelledAsName || inName || !isCommonWord(lower)) yield { kind: 'name', start, end };
    }
  }

  function* quotationsIn(line: string, kind: TextKind): Generator<UnsupportedFact> {
    for (const { 0: whole, index, ...groups } of line.matchAll(QUOTATION)) {
      const quote = [groups[1], groups[2], groups[3], groups[4]].find((group) => group !== undefined) ?? '';
      if (kind !== 'quotation' && tokenise(quote).length < MIN_QUOTED_WORDS) continue;
      if (!findQuote(quote)) yield { kind: 'quotation', start: index, end: index + whole.length };
    }
  }

  return {
    unsupportedFacts(text, kind) {
      const line = withoutPlaceholders(text);
      const links = Array.from(line.matchAll(/https?:\/\/[^\s)]+|\bwww\.[^\s)]+/g), ({ 0: link, index }) => ({
        kind: 'link' as const,
        start: index,
        end: index + link.length,
      })).filter(({ start, end }) => !findQuote(line.slice(start, end)));
      // A rewriting is checked word by word, so its quotation marks prove nothing and are ignored.
      const quotations = kind === 'rewriting' ? [] : Array.from(quotationsIn(line, kind));
      if (kind === 'quotation' && line.search(QUOTATION) < 0 && !findQuote(line)) {
        quotations.push({ kind: 'quotation', start: 0, end: line.length });
      }
      return [
        ...links,
        ...quotations,
        ...numbersIn(line, kind),
        ...skillsIn(line),
        ...namesIn(line, kind),
      ].sort((a, b) => a.start - b.start);
    },
  };
}

const digitsOf = (number: string) => number.replace(/[^\d.]/g, '').replace(/\.$/, '');
const isPercent = (number: string) => /%|percent/.test(number);
const isAmount = (number: string) => /^[$€£¥]/.test(number);

/** True if `other` matches the predicate and only a space separates it from `token`. */
function isAdjacent(
  line: string,
  token: Token,
  other: Token | undefined,
  isOfKind: (other: Token) => boolean,
): boolean {
  if (!other || !isOfKind(other) || beginsPhrase(line, other.start)) return false;
  const [first, second] = other.start < token.start ? [other, token] : [token, other];
  return line.slice(first.end, second.start) === ' ';
}

/** Replaces placeholders by as many spaces, so that offsets do not change. */
const withoutPlaceholders = (text: string) =>
  text.replace(/\[[^\]\n]{1,60}\](?!\()/g, (placeholder) => ' '.repeat(placeholder.length));

/** True if a word starts a sentence or list item, or follows a colon, dash, quotation mark or opening bracket. */
const beginsPhrase = (line: string, start: number) =>
  /(?:^|[.!?:;|“"«(—–>/])[\s*_#\d.)>-]*$/u.test(line.slice(0, start));

/** True if a word is in bold type, which marks the titles of bullets. */
function isBold(line: string, start: number): boolean {
  return (line.slice(0, start).split('**').length - 1) % 2 === 1;
}

const lexicon = (nlp.model() as { one: { lexicon: Record<string, string | string[] | undefined> } }).one
  .lexicon;
const NAME_TAGS =
  /Organization|Person|Place|City|Country|Region|ProperNoun|FirstName|LastName|MaleName|FemaleName|Company|Demonym/;

/** True for ordinary English words such as "group"; false for names such as "google" and "zendesk". */
function isCommonWord(word: string): boolean {
  const tags = Object.hasOwn(lexicon, word) ? lexicon[word] : undefined;
  return !NAME_TAGS.test(String(tags)) && isEnglishWord(word);
}
