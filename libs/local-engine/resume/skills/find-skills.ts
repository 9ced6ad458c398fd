import { tokenise, type Token } from '../tokens.js';
import { skills, type Skill } from './skills.js';
import words from './find-skills.json' with { type: 'json' };

export interface SkillMention {
  skill: Skill;
  start: number;
  end: number;
}

interface Entry {
  skill: Skill;
  tokens: Token[];
  ambiguous: boolean;
}

/** The key of a word, which its singular and plural share. */
const comparable = (token: Token | undefined) => (token ? token.stem : '');

/** The terms by the key of their first word, the longest first. */
const entries = indexTerms();
const byName = new Map(skills.map((skill) => [skill.name, skill]));

/** The skill with a name or alias, in any case. */
export function skillNamed(name: string): Skill | undefined {
  const direct = byName.get(name);
  if (direct) return direct;
  const tokens = tokenise(name);
  const entry = entries
    .get(comparable(tokens[0]))
    ?.find(({ tokens: term }) => term.length === tokens.length && matchesAt(tokens, 0, term));
  return entry?.skill;
}

/** The skills that a text names, in order. Where terms overlap, the longest counts. */
export function findSkills(text: string): SkillMention[] {
  const tokens = tokenise(text);
  const mentions: SkillMention[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const entry = entries
      .get(comparable(tokens[at]))
      ?.find(
        ({ tokens: term, ambiguous }) =>
          matchesAt(tokens, at, term) &&
          isOnePhrase(text, tokens, at, term.length) &&
          (!ambiguous || isMeant(text, tokens, at, term)),
      );
    if (!entry) continue;
    const last = at + entry.tokens.length - 1;
    mentions.push({ skill: entry.skill, start: tokens[at]?.start ?? 0, end: tokens[last]?.end ?? 0 });
    at = last;
  }
  return mentions;
}

export const withImplying = (skill: Skill): Skill[] => [
  skill,
  ...skill.impliedBy.flatMap((name) => byName.get(name) ?? []),
];

function indexTerms(): Map<string, Entry[]> {
  const index = new Map<string, Entry[]>();
  for (const skill of skills) {
    for (const term of [skill.name, ...skill.aliases]) {
      const tokens = tokenise(term);
      const key = comparable(tokens[0]);
      const found = index.get(key) ?? [];
      found.push({ skill, tokens, ambiguous: skill.ambiguous.includes(term) });
      index.set(key, found);
    }
  }
  for (const found of index.values()) found.sort((a, b) => b.tokens.length - a.tokens.length);
  return index;
}

/** Phrases are compared by their stems; a single word only with its plural, since "market" is not "marketing". */
function matchesAt(tokens: Token[], at: number, term: Token[]): boolean {
  if (term.length === 1) return isSameNoun(tokens[at]?.lower ?? '', term[0]?.lower ?? '');
  return term.every((word, offset) => tokens[at + offset]?.stem === word.stem);
}

const isSameNoun = (a: string, b: string) =>
  a === b || (b.length > 3 && (a === `${b}s` || `${a}s` === b || a === `${b}es`));

/** True if words belong to one phrase: no end of a sentence and no list separator is between them. */
function isOnePhrase(text: string, tokens: Token[], at: number, length: number): boolean {
  for (let i = at; i < at + length - 1; i += 1) {
    const between = text.slice(tokens[i]?.end, tokens[i + 1]?.start);
    if (!/^(?:\s?[-‐–/&'’]\s?|[^\S\n]+|\n|)$/u.test(between)) return false;
  }
  return true;
}

const BEFORE_SKILL = new Set(words.beforeSkill);
/** Words before which a capitalised everyday word names a technology. */
const AFTER_NAME = new Set(words.afterName);
const SMALL = new Set(['in', 'for', 'with', 'on', 'at', 'is']);
const AFTER_SKILL = new Set(words.afterSkill);

/**
 * True if an ambiguous term is meant here: written in its own case, and between separators or words that go with a
 * skill. "Go services" and "Python, Go" are; "Go to market" and "You will go" are not.
 */
function isMeant(text: string, tokens: Token[], at: number, term: Token[]): boolean {
  const first = tokens[at];
  const last = tokens[at + term.length - 1];
  if (!first || !last || !term.every((word, offset) => tokens[at + offset]?.text === word.text)) return false;
  const isAcronym = /^[A-Z\d]{2,}s?$/.test(first.text);
  if (isAcronym) return true;
  const before = text.slice(tokens[at - 1]?.end ?? 0, first.start);
  const after = text.slice(last.end, tokens[at + term.length]?.start ?? text.length);
  // "R&D" and initials of names are no skills.
  if (/^\s?[&'’]\s?$/u.test(after)) return false;
  if (term[0]?.text.length === 1 && /^\.\s/.test(after) && !/[,/(]\s*$/.test(before)) return false;
  const beginsLine = at === 0 || before.includes('\n');
  const separatedBefore = /[,;:/|•·(+–—-]/u.test(before) || beginsLine;
  const endsLine = at + term.length >= tokens.length || after.includes('\n') || /[.]/.test(after);
  const separatedAfter = /[,;/|•·)(+–—]/u.test(after) || endsLine;
  const fitsBefore = separatedBefore || BEFORE_SKILL.has(tokens[at - 1]?.lower ?? '');
  const next = tokens[at + term.length]?.lower ?? '';
  // At the beginning of a sentence any word has a capital: "Spring is here", "Excel at what you do".
  const beginsSentence = beginsLine || /[.!?]\s+$/.test(before);
  const fitsAfter = separatedAfter || (AFTER_SKILL.has(next) && !(beginsSentence && SMALL.has(next)));
  if (term[0]?.text.length === 1) return fitsBefore && fitsAfter && namesOtherLanguage(text, first);
  return (fitsBefore && fitsAfter) || AFTER_NAME.has(next);
}

/** A single letter is a programming language only on a line with other signs of programming. */
function namesOtherLanguage(text: string, letter: Token): boolean {
  const start = text.lastIndexOf('\n', letter.start) + 1;
  const end = text.indexOf('\n', letter.end);
  const line = text.slice(start, end < 0 ? undefined : end);
  return /\b(?:programming|languages?|python|sql|java|javascript|sas|spss|stata|matlab|rust|go|scala|julia|statistic\w*|tableau|linux|embedded|firmware)\b|c\+\+|c#|\.net/i.test(
    line,
  );
}
