import { foreignLanguages, type ForeignLanguage } from '#libs/local-engine/resume/languages/languages.js';
import { findSkills, type SkillMention } from '#libs/local-engine/resume/skills/find-skills.js';
import { technologyProducts } from '#libs/local-engine/resume/skills/skills.js';
import { wholeWords } from '#libs/local-engine/text/pattern.js';
import { groupAlternatives } from './alternatives.js';
import type { JobClause, Posting } from './job-clauses.js';
import type { YearsRequest, YearsSubject } from './years-request.js';

/** Words around the years that are read, in characters. */
const CLOSE = 12;
const NEAR = 60;
const FAR = 90;

const patterns = new Map(
  Array.from(foreignLanguages, ([code, language]) => [code, yearsPattern(language)] as const),
);

function yearsPattern({ numbers, years }: ForeignLanguage): RegExp {
  const number = String.raw`(?:\d{1,2}|${Object.keys(numbers).join('|')})`;
  return wholeWords(
    String.raw`(${number})\s*\+?(?:\s*(?:-|–|bis|à|a|al|ou|o|y|tot|do|oder)\s*${number})?\s*\+?[\s-]*(?:${years.word})`,
    'giu',
  );
}

/** The years of experience that a clause in another language than English asks for. */
export function readForeignYears({ text, sentence, posting }: JobClause): YearsRequest[] {
  const language = foreignLanguages.get(posting.language);
  const pattern = patterns.get(posting.language);
  if (!language || !pattern) return [];
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + match[0].length);
    if (!asksForExperience(before, after, language)) return [];
    const number = match[1] ?? '';
    return [
      {
        least: Number(number) || (language.numbers[number.toLowerCase()] ?? 0),
        subject: subjectIn(before, after, posting),
        hasAlternative: language.degree.test(before) && language.or.test(before.slice(-NEAR)),
        quote: sentence,
      },
    ];
  });
}

function asksForExperience(before: string, after: string, { years }: ForeignLanguage): boolean {
  if (years.experience.test(after.slice(0, NEAR))) return !years.notExperience.test(before.slice(-CLOSE));
  return years.experience.test(before.slice(-NEAR)) && !years.notExperience.test(after.slice(0, CLOSE));
}

/** The skills after the years up to a comma, or close before them. */
function subjectIn(before: string, after: string, posting: Posting): YearsSubject | null {
  const part = /^[^,.;()]*(?:,[^,.;()]{0,30})*/u.exec(after.slice(0, FAR))?.[0] ?? '';
  const first = findSkills(part, posting)[0];
  if (first && !part.slice(0, first.start).includes(','))
    return subjectOf(part, findSkills(part, posting), posting);
  const near = before.slice(-NEAR);
  const mentions = findSkills(near, posting);
  return mentions.length > 0 ? subjectOf(near, mentions, posting) : null;
}

function subjectOf(text: string, mentions: readonly SkillMention[], posting: Posting): YearsSubject {
  const named = mentions.map((mention) => ({ ...mention, name: mention.skill.name, impliedBy: [] }));
  const [first] = groupAlternatives(text, named, posting.language);
  const skills = first!.map(({ skill }) => skill);
  return { groups: [skills], words: '', isNamed: skills.some((skill) => technologyProducts.has(skill)) };
}
