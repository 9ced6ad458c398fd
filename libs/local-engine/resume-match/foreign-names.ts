import { foldLetters } from '#libs/local-engine/text/fold-letters.js';
import { findDegrees } from '#libs/local-engine/resume/degrees.js';
import { foreignLanguages, type ForeignLanguage } from '#libs/local-engine/resume/languages/languages.js';
import { findSkills, withoutSkills } from '#libs/local-engine/resume/skills/find-skills.js';
import { technologyProducts } from '#libs/local-engine/resume/skills/skills.js';
import { hasProductForm, LONGEST_WORD } from '#libs/local-engine/resume/skills/named-products.js';
import { isOfEmployer } from './employer.js';
import type { JobClause } from './job-clauses.js';
import { NOT_NAMED } from './requested-names.js';

const MAX_WORDS = 3;
const MAX_CUES = 6;
const SEPARATOR = /[,;:.()•|/!?\n]|\s[–—-]\s/u;
/** Initials of a grade ("B2", "h/f"), a gender ("BuchhalterIn"), or an abbreviation ("z.B."). */
const NO_NAME = /^(?:[ABC][12]\+?|\d.*|\p{L}{1,2}|(?:\p{L}\.)+\p{L}?|.*\p{Ll}In(?:nen)?|[Bb]ac.*)$/u;

/** Kinds of universities in the education that is asked for, such as "FH/TU/DH". */
const SCHOOLS = /^\p{Lu}{2,3}(?:\/\p{Lu}{2,3})+$/u;

/** What a clause in another language than English asks for, without known skills: products, and phrases after "experience with". */
export function foreignNamesIn({ text, importance, posting }: JobClause): string[] {
  const language = foreignLanguages.get(posting.language);
  if (!language || language.notRequested.test(text)) return [];
  const isEducation = findDegrees(text, false).length > 0 || language.degree.test(text);
  const blanked = withoutSkills(text, posting);
  const names = [
    ...productsIn(blanked, language).filter((word) => !isEducation || !SCHOOLS.test(word)),
    ...(findSkills(text, posting).some(({ skill }) => technologyProducts.has(skill))
      ? itemsIn(blanked, language)
      : []),
    ...(isEducation || importance === 'mentioned' ? [] : phrasesIn(blanked, language)),
  ];
  return Array.from(new Set(names)).filter((name) => !isOfEmployer(name, posting.employer));
}

function productsIn(text: string, language: ForeignLanguage): string[] {
  const notNamed = new Set(language.notNamed);
  // In capitals every word has the form of initials.
  if (!/\p{Ll}/u.test(text)) return [];
  return text
    .split(/[\s,;:()[\]|•"„“”«»]+/u)
    .map((word) => word.replace(/^[^\p{L}\p{N}.]+|[^\p{L}\p{N}+#]+$/gu, ''))
    .filter(
      (word) =>
        word.length <= LONGEST_WORD &&
        hasProductForm(word) &&
        !NO_NAME.test(word) &&
        !notNamed.has(word.toLowerCase()) &&
        !NOT_NAMED.has(word.toLowerCase()),
    );
}

/** The capitalised items of a list that names products of technology. */
function itemsIn(text: string, language: ForeignLanguage): string[] {
  const notNamed = new Set(language.notNamed);
  return text
    .split(/[,()•|;]/u)
    .slice(1)
    .flatMap((part) => part.split(language.or))
    .flatMap((part) => part.split(language.and))
    .map((part) => part.trim())
    .filter(
      (item) =>
        item.length > 2 &&
        /^\p{Lu}[\p{L}\d.+#-]*(?: \p{Lu}[\p{L}\d.+#-]*)?$/u.test(item) &&
        !NO_NAME.test(item) &&
        !notNamed.has(item.toLowerCase()),
    );
}

function phrasesIn(text: string, language: ForeignLanguage): string[] {
  const cues = Array.from(text.matchAll(new RegExp(language.cues.source, 'giu'))).slice(0, MAX_CUES);
  return cues.flatMap(({ index, 0: cue }) => {
    const rest = text.slice(index + cue.length, index + cue.length + 120).split(SEPARATOR)[0] ?? '';
    return rest
      .split(language.or)
      .flatMap((part) => part.split(language.and))
      .flatMap((part) => nounIn(part, language));
  });
}

/** The words of a phrase from its first noun to its next function word; none if it ends with an empty noun. */
function nounIn(phrase: string, language: ForeignLanguage): string[] {
  const small = new Set(language.functionWords);
  const words = phrase.trim().split(/\s+/);
  const isGerman = language.hasCompounds && language.name === 'German';
  const from = words.findIndex((word) => (isGerman ? /^\p{Lu}/u.test(word) : !small.has(word.toLowerCase())));
  if (from < 0) return [];
  const to = words.findIndex(
    (word, index) => index > from && (small.has(word.toLowerCase()) || (isGerman && /^\p{Ll}/u.test(word))),
  );
  const found = words.slice(from, to < 0 ? undefined : to);
  const empty = new Set([...language.emptyHeads, ...language.notNamed].map(foldLetters));
  const name = found.join(' ').replace(/["„“”«»]/g, '');
  const isEmpty = found.some((word) => empty.has(foldLetters(word)) || /\d/.test(word));
  if (isEmpty || found.length > MAX_WORDS || name.length < 5 || name.length > LONGEST_WORD) return [];
  return [name.charAt(0).toUpperCase() + name.slice(1)];
}
