import { phrasesOf, type ResumeLanguage } from '#libs/local-engine/resume/languages/languages.js';
import { findSkills } from '#libs/local-engine/resume/skills/find-skills.js';
import type { TextContext } from '#libs/local-engine/resume/skills/is-meant.js';
import { wholeWords } from '#libs/local-engine/text/pattern.js';
import data from './disclaimer.json' with { type: 'json' };

const NOT_ONLY = wholeWords(data.notOnly);
const ABOUT_SKILLS = wholeWords(data.aboutSkills);
const AFTER = new RegExp(String.raw`^\s{0,3}[:(–—-]{1,2}\s{0,3}(?:${data.after})(?!\p{L})`, 'iu');

/** The words before a mention that are read. */
const REACH = 240;
/** A denial reaches this far, in characters, and further along a list. */
const DENIAL_REACH = 60;

/** What the words around a skill say: nothing, that it is wished for, or that it is denied, as in "No experience with X". */
export function disclaimer(
  before: string,
  after: string,
  language: ResumeLanguage,
): 'wished' | 'denied' | null {
  if (AFTER.test(after)) return 'wished';
  const english = disclaimedBy(before, 'en');
  return english ?? (language === 'en' ? null : disclaimedBy(before, language));
}

/** The names of skills that a resume denies anywhere: "I have no experience with Java". */
export const deniedSkills = (text: string, context: TextContext): ReadonlySet<string> =>
  new Set(
    findSkills(text, context)
      .filter(
        ({ start, end }) =>
          disclaimer(
            text.slice(Math.max(0, start - REACH), start),
            text.slice(end, end + REACH),
            context.language,
          ) === 'denied',
      )
      .map(({ skill }) => skill.name),
  );

function disclaimedBy(before: string, language: ResumeLanguage): 'wished' | 'denied' | null {
  const { wish, denial, but } = phrasesOf(language);
  const sentence =
    before
      .slice(-REACH)
      .split(/[.!?;]\s|\n\s*\n|[•▪●]|;/u)
      .at(-1) ?? '';
  const clause = sentence.split(but).at(-1) ?? '';
  if (wish.test(clause)) return 'wished';
  if (NOT_ONLY.test(clause)) return null;
  const denied = Array.from(clause.matchAll(new RegExp(denial.source, 'giu'))).at(-1);
  if (!denied) return null;
  const between = clause.slice(denied.index + denied[0].length);
  const [first = '', ...items] = between.split(',');
  if (first.length > DENIAL_REACH || !items.every((item) => isItem(item, language))) return null;
  return ABOUT_SKILLS.test(between) || ABOUT_SKILLS.test(denied[0]) ? 'denied' : 'wished';
}

/** True for an item of a list of names: "Kubernetes", "or Angular". */
const isItem = (item: string, language: ResumeLanguage) =>
  item
    .replace(phrasesOf(language).or, '')
    .replace(phrasesOf(language).and, '')
    .replace(/\bnor\b/i, '')
    .trim()
    .split(/\s+/)
    .every((word) => word === '' || /^[\p{Lu}\d.#+]|[\d+#.]/u.test(word));
