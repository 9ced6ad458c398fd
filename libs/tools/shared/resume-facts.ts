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

/** Decides how strictly a text is checked. A rewriting speaks for the user; a quotation has the resume's words. */
export type TextKind = 'remark' | 'heading' | 'rewriting' | 'quotation';

export interface ResumeFacts {
  /** Finds facts of a review that the resume does not have. Placeholders in square brackets are no facts. */
  unsupportedFacts(text: string, kind: TextKind): UnsupportedFact[];
}

/** Words that every review may capitalise. */
const VOCABULARY = new Set(words.vocabulary);

const NUMBER = /(?:[$€£¥]\s?)?\d+(?:[.,]\d+)*(?:\s?%|\s?percent\b)?/g;
const NUMBER_WORD = new RegExp(
  String.raw`\b(?:${[...cardinals.keys()].slice(2).join('|')}|dozens?|hundreds?|thousands?|millions?|billions?|half|halved|doubled|doubling|tripled|tripling|quadrupled|twofold|threefold|tenfold)\b`,
  'gi',
);
const QUOTATION = /“([^”]+)”|"([^"]+)"|«([^»]+)»|„([^“”]+)[“”]/g;
/** Shorter quotations may only name a word. */
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
      // A number within a word ("B2B", "HTML5") is part of a name.
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

  /** Whether the text may name a skill: the resume has it, by any name, or it is an everyday word. */
  const isSupported = (line: string, { skill, start, end }: SkillMention) =>
    skill.isEveryday ||
    withImplying(skill).some((other) => skills.has(other)) ||
    // The resume may have its words without a known skill.
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
      // A single ordinary word may be capitalised at the start of a title, sentence or example ("Built, Reduced"). Two
      // within a sentence are a name, and so is any in a rewriting.
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
      // A rewriting may be in quotation marks; it is checked word by word.
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

/** Whether another word of the kind is adjacent, with only a space between. */
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

/** Replaces placeholders by spaces, so that offsets do not change. */
const withoutPlaceholders = (text: string) =>
  text.replace(/\[[^\]\n]{1,60}\](?!\()/g, (placeholder) => ' '.repeat(placeholder.length));

/** Whether a word starts a sentence or list item, or follows a colon, a dash or an opening mark. */
const beginsPhrase = (line: string, start: number) =>
  /(?:^|[.!?:;|“"«(—–>/])[\s*_#\d.)>-]*$/u.test(line.slice(0, start));

/** Whether a word is bold, as the titles of bullets are. */
function isBold(line: string, start: number): boolean {
  return (line.slice(0, start).split('**').length - 1) % 2 === 1;
}

const lexicon = (nlp.model() as { one: { lexicon: Record<string, string | string[] | undefined> } }).one
  .lexicon;
const NAME_TAGS =
  /Organization|Person|Place|City|Country|Region|ProperNoun|FirstName|LastName|MaleName|FemaleName|Company|Demonym/;

/** Whether a word is an ordinary English word: "group" is, "google" and "zendesk" are not. */
function isCommonWord(word: string): boolean {
  const tags = Object.hasOwn(lexicon, word) ? lexicon[word] : undefined;
  return !NAME_TAGS.test(String(tags)) && isEnglishWord(word);
}
