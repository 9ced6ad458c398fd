import type { ResumeLanguage } from '../languages/languages.js';
import { tokenise, type Token } from '../tokens.js';
import { foreignTerms, type ForeignTerms } from './foreign-terms.js';
import { isMeant, type TextContext } from './is-meant.js';
import { skills, type Skill } from './skills.js';

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

/** A term at a position of a text. */
interface Match {
  skill: Skill;
  length: number;
}

const ENGLISH: TextContext = { language: 'en', isTechnical: true };

/** The key of a word, which its singular and plural share. */
const comparable = (token: Token | undefined) => (token ? token.stem : '');

/** The terms by the key of their first word, the longest first. */
const entries = indexTerms();
const byName = new Map(skills.map((skill) => [skill.name, skill]));

/** The skill with a name or alias, in any case. @param language of the name, besides English */
export function skillNamed(name: string, language: ResumeLanguage = 'en'): Skill | undefined {
  const direct = byName.get(name);
  if (direct) return direct;
  const tokens = tokenise(name);
  const entry = entries
    .get(comparable(tokens[0]))
    ?.find(({ tokens: term }) => term.length === tokens.length && matchesAt(tokens, 0, term));
  if (entry) return entry.skill;
  const foreign = foreignTerms(language);
  const match = foreign && foreignAt(foreign, name, tokens, 0);
  return match?.length === tokens.length ? match.skill : undefined;
}

/** The skills that a text names, in order. Where terms overlap, the longest counts. */
export function findSkills(text: string, context: TextContext = ENGLISH): SkillMention[] {
  const tokens = tokenise(text);
  const foreign = foreignTerms(context.language);
  const mentions: SkillMention[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const english = englishAt(text, tokens, at, context);
    const other = foreign && foreignAt(foreign, text, tokens, at);
    const match =
      other && other.length > (english?.length ?? 0) ? other : (english ?? inflectedAt(foreign, tokens[at]!));
    if (!match) continue;
    const last = at + match.length - 1;
    mentions.push({ skill: match.skill, start: tokens[at]!.start, end: tokens[last]!.end });
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

function englishAt(text: string, tokens: Token[], at: number, context: TextContext): Match | undefined {
  const entry = entries
    .get(comparable(tokens[at]))
    ?.find(
      ({ skill, tokens: term, ambiguous }) =>
        matchesAt(tokens, at, term) &&
        isOnePhrase(text, tokens, at, term.length) &&
        !skill.notBefore.includes(tokens[at + term.length]?.lower ?? '') &&
        (!ambiguous || isMeant({ text, tokens, at, term, skill, context, isSkill })),
    );
  return entry && { skill: entry.skill, length: entry.tokens.length };
}

/** The text with a comma for each skill. */
export function withoutSkills(text: string, context: TextContext): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of findSkills(text, context)) {
    rest += `${text.slice(from, start)}, `;
    from = end;
  }
  return rest + text.slice(from);
}

const isSkill = (token: Token, orAmbiguous: boolean) =>
  entries
    .get(comparable(token))
    ?.some(
      ({ tokens: [word, ...more], ambiguous }) =>
        more.length === 0 && (orAmbiguous || !ambiguous) && isSameNoun(token.lower, word?.lower ?? ''),
    ) ?? false;

/** Phrases are compared by their stems; a single word only with its plural, since "market" is not "marketing". */
function matchesAt(tokens: Token[], at: number, term: Token[]): boolean {
  if (term.length === 1) return isSameNoun(tokens[at]?.lower ?? '', term[0]?.lower ?? '');
  return term.every((word, offset) => tokens[at + offset]?.stem === word.stem);
}

const isSameNoun = (a: string, b: string) =>
  a === b || (b.length > 3 && (a === `${b}s` || `${a}s` === b || a === `${b}es`));

function foreignAt(foreign: ForeignTerms, text: string, tokens: Token[], at: number): Match | undefined {
  const token = tokens[at]!;
  const term = foreign.byFirstStem
    .get(foreign.stemOf(token.lower))
    ?.find(
      ({ stems, initials }) =>
        (initials === null || initials === token.text) &&
        stems.every((stem, offset) => foreign.stemOf(tokens[at + offset]?.lower ?? '') === stem) &&
        isOnePhrase(text, tokens, at, stems.length),
    );
  if (term) return { skill: term.skill, length: term.stems.length };
  return undefined;
}

/** A compound of a known term, or a product with an ending: "Umsatzsteuervoranmeldungen", "Excela". */
function inflectedAt(foreign: ForeignTerms | undefined, { lower, text }: Token): Match | undefined {
  if (!foreign) return undefined;
  const skill = foreign.skillInCompound(lower);
  if (skill) return { skill, length: 1 };
  const product =
    /^\p{Lu}/u.test(text) && lower.length > 4 ? byName.get(capital(foreign.stemOf(lower))) : undefined;
  return product && { skill: product, length: 1 };
}

const capital = (lower: string) => lower.charAt(0).toUpperCase() + lower.slice(1);

/** True if words belong to one phrase: no end of a sentence and no list separator is between them. */
function isOnePhrase(text: string, tokens: Token[], at: number, length: number): boolean {
  for (let i = at; i < at + length - 1; i += 1) {
    const between = text.slice(tokens[i]?.end, tokens[i + 1]?.start);
    if (!/^(?:\s?[-‐–/&'’]\s?|[^\S\n]+|\n|)$/u.test(between)) return false;
  }
  return true;
}
