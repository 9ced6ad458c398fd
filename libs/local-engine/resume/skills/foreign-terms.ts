import { foldLetters } from '#libs/local-engine/text/fold-letters.js';
import { foreignLanguages, stemIn, type ForeignLanguage } from '../languages/languages.js';
import { tokenise, type Token } from '../tokens.js';
import { skills, type Skill } from './skills.js';

/** What a skill is called in another language. */
export interface ForeignTerm {
  skill: Skill;
  /** The stems of its words. */
  stems: string[];
  /** Initials such as "TVA", which count in capitals only; null for words. */
  initials: string | null;
}

/** The terms of one language. */
export interface ForeignTerms {
  /** Terms by the stem of their first word, the longest first. */
  byFirstStem: ReadonlyMap<string, readonly ForeignTerm[]>;
  stemOf: (lower: string) => string;
  /** The skill that a compound such as "Umsatzsteuervoranmeldung" names by its last or first part. */
  skillInCompound: (lower: string) => Skill | undefined;
}

const LONGEST_INITIALS = 5;
/** Shorter parts of compounds are endings or unrelated words. */
const SHORTEST_PART = 5;
const SHORTEST_REST = 3;
const LONGEST_COMPOUND = 50;

const cache = new Map<string, ForeignTerms>();

/** The terms of a language by its code; undefined for English and unknown languages. */
export function foreignTerms(code: string): ForeignTerms | undefined {
  const language = foreignLanguages.get(code);
  if (!language) return undefined;
  const known = cache.get(code) ?? indexTerms(language);
  cache.set(code, known);
  return known;
}

function indexTerms(language: ForeignLanguage): ForeignTerms {
  const stemOf = (lower: string) => stemIn(language, lower);
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const byFirstStem = new Map<string, ForeignTerm[]>();
  const parts = new Map<string, Skill>();
  const notCompound = new Set(language.notCompound.map(foldLetters));
  for (const [name, terms] of Object.entries(language.skills)) {
    const skill = byName.get(name);
    if (!skill) throw new Error(`${language.name}: “${name}” is no skill of skills.json.`);
    for (const term of terms) {
      const tokens = tokenise(term);
      const stems = tokens.map(({ lower }) => stemOf(lower));
      const initials = tokens.length === 1 && isInitials(term) ? term : null;
      const found = byFirstStem.get(stems[0] ?? '') ?? [];
      found.push({ skill, stems, initials });
      byFirstStem.set(stems[0] ?? '', found);
      if (tokens.length === 1 && !initials) addParts(tokens[0]!, skill);
    }
  }
  for (const found of byFirstStem.values()) found.sort((a, b) => b.stems.length - a.stems.length);
  return { byFirstStem, stemOf, skillInCompound };

  function addParts({ lower }: Token, skill: Skill): void {
    if (!language.hasCompounds || notCompound.has(lower)) return;
    for (const part of [lower, stemOf(lower)]) {
      if (part.length >= SHORTEST_PART && !parts.has(part)) parts.set(part, skill);
    }
  }

  function skillInCompound(lower: string): Skill | undefined {
    if (parts.size === 0 || lower.length > LONGEST_COMPOUND) return undefined;
    for (let at = SHORTEST_REST; at <= lower.length - SHORTEST_PART; at += 1) {
      const skill = parts.get(stemOf(lower.slice(at)));
      if (skill) return skill;
    }
    for (let end = lower.length - SHORTEST_REST; end >= SHORTEST_PART; end -= 1) {
      const skill = parts.get(lower.slice(0, end));
      if (skill) return skill;
    }
    return undefined;
  }
}

const isInitials = (term: string) => term.length <= LONGEST_INITIALS && /^[\p{Lu}\d]{2,}$/u.test(term);
