import { findSkills, type SkillMention } from '#libs/local-engine/resume/skills/find-skills.js';
import words from './employer.json' with { type: 'json' };

/** The employer's names in a job description, in lower case. */
export interface Employer {
  names: ReadonlySet<string>;
  /** Names that are also skills: "Stripe is hiring". */
  skills: ReadonlySet<string>;
}

const word = String.raw`(?<![\p{L}\d])\p{Lu}[\p{L}\d&.-]{0,30}`;
const name = `(${word}(?:\\s${word}){0,2}?)`;
const ends = String.raw`(?=[\s,.!?:]|['’]s|$)`;

const asEmployer = [
  new RegExp(String.raw`(?:^|[^\p{L}])(?:${words.before})\s+${name}${ends}`, 'giu'),
  new RegExp(String.raw`^[\s#*]*(?:${words.beginLine})\s+${name}${ends}`, 'giu'),
  new RegExp(String.raw`${name}['’]s\s+(?:${words.possessions})`, 'gu'),
  new RegExp(String.raw`^[\s#*]*(?:${words.labels})[\s*]*:[\s*]*${name}\s*$`, 'giu'),
  new RegExp(
    String.raw`(?:^|[.!]\s+)(?:we are|we['’]re|wir sind|nous sommes|somos|siamo|wij zijn)\s+${name}(?=[,.!–—]|\s[–—-]|$)`,
    'giu',
  ),
  new RegExp(String.raw`(?:^|[.!]\s+)${name}\s(?:${words.doing})`, 'gu'),
  new RegExp(String.raw`${name}\s(?:${words.legalForms})(?![\p{L}\d])`, 'gu'),
];
/** A skill may begin a sentence in these ways. */
const perhapsEmployer = [
  new RegExp(
    String.raw`^(?:At\s+)?${name}\s*(?:,|\s(?:is|are|was|has|offers|builds|makes|provides|helps|seeks|believes|runs|operates|serves)\b)`,
    'gu',
  ),
];

export function findEmployer(jobDescription: string): Employer {
  const names = new Set<string>();
  const skills = new Set<string>();
  for (const { found, isSure, isSkill } of mentionsIn(jobDescription)) {
    if (isSkill && isSure) skills.add(found.toLowerCase());
    if (!isSkill) names.add(found.toLowerCase());
  }
  return { names, skills };
}

/** The employer's name as it is written; null if no sentence says clearly that it is the employer. */
export function employerName(jobDescription: string): string | null {
  const sure = Array.from(mentionsIn(jobDescription)).filter(({ isSure }) => isSure);
  return (sure.find(({ isSkill }) => !isSkill) ?? sure[0])?.found ?? null;
}

function* mentionsIn(jobDescription: string) {
  for (const line of jobDescription.split('\n')) {
    for (const [index, pattern] of [...asEmployer, ...perhapsEmployer].entries()) {
      for (const match of line.matchAll(pattern)) {
        const found = (match[1] ?? '').trim();
        if (!/^\p{Lu}/u.test(found)) continue;
        yield { found, isSure: index < asEmployer.length, isSkill: findSkills(found).length > 0 };
      }
    }
  }
}

export const isOfEmployer = (phrase: string, { names, skills }: Employer) =>
  [...names, ...skills].some((own) => ` ${phrase.toLowerCase()} `.includes(` ${own} `));

const COMPANY = new RegExp(String.raw`^,?\s(?:${words.legalForms})(?![\p{L}\d])`, 'u');
const ASKED =
  /\b(?:experience|knowledge|expertise|skills?|proficien\w+|familiar\w*|certified|certification|administrat\w+|develop\w+|using|use)\s+(?:with|in|of|on|the)?\s*$/i;

/** True if a mention of a skill is the name of a company: the employer's own, or one with a legal form. */
export function isCompany(text: string, { start, end }: SkillMention, employer?: Employer): boolean {
  if (COMPANY.test(text.slice(end, end + 20))) return true;
  if (!employer?.skills.has(text.slice(start, end).toLowerCase())) return false;
  return (
    !ASKED.test(text.slice(Math.max(0, start - 60), start)) &&
    !/^\s+(?:APIs?|SDK|certifi\w+|admin\w*|developer)\b/i.test(text.slice(end, end + 20))
  );
}
