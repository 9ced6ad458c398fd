import { findDateRanges, monthsCovered } from '#libs/local-engine/resume/date-ranges.js';
import type { ResumeLine } from '#libs/local-engine/resume/resume.js';
import { findSections } from '#libs/local-engine/resume/sections.js';
import type { Requirement } from '#libs/tools/calculate-ats-score/contract.js';
import type { JobClause } from './job-clauses.js';

const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const YEARS = new RegExp(
  String.raw`\b(\d{1,2}|${NUMBERS.join('|')})\s*\+?(?:\s*(?:-|–|to)\s*\d{1,2}\s*\+?)?\s*(?:or more\s+)?(?:years?|yrs?)\b`,
  'i',
);
const MAX_YEAR_REQUIREMENTS = 3;

/** The years of experience and the degree that a job requests, compared with the resume. */
export function findRequirements(
  clauses: readonly JobClause[],
  lines: readonly ResumeLine[],
  now: Date,
): Requirement[] {
  return [...requiredYears(clauses, lines, now), ...requiredDegree(clauses, lines)];
}

function requiredYears(
  clauses: readonly JobClause[],
  lines: readonly ResumeLine[],
  now: Date,
): Requirement[] {
  const asked = clauses.filter(
    ({ text }) => YEARS.test(text) && /experience|work|practi[cs]e|background|role/i.test(text),
  );
  const ranges = findDateRanges(workLines(lines));
  const years = Math.floor(monthsCovered(ranges, now) / 12);
  const newest = ranges.reduce<(typeof ranges)[number] | null>(
    (a, b) => (a && a.start >= b.start ? a : b),
    null,
  );
  return asked.slice(0, MAX_YEAR_REQUIREMENTS).map(({ text, sentence }) => {
    const least = toNumber(YEARS.exec(text)?.[1] ?? '');
    const forOne = /\byears?\b[^.]*\b(?:with|in|using|of)\b/i.test(text);
    return {
      kind: 'experience' as const,
      job: { quote: sentence },
      resume: newest && { quote: newest.text, page: newest.line.page },
      met: newest ? years >= least : null,
      note: newest
        ? `The dates in the resume cover ${years} full ${years === 1 ? 'year' : 'years'} of work in all.${forOne ? ' How many of them were spent on one thing cannot be told from dates.' : ''}`
        : 'The resume shows no spans of time (such as “Mar 2019 – Present”) from which years could be counted.',
    };
  });
}

/** The lines of the work history; without such a heading, all except education and volunteering. */
function workLines(lines: readonly ResumeLine[]): readonly ResumeLine[] {
  const sections = findSections(lines);
  const work = sections.filter(({ kind }) => kind === 'experience').flatMap((section) => section.lines);
  if (work.length > 0) return work;
  const other = new Set(
    sections
      .filter(({ kind }) => kind === 'education' || kind === 'volunteering')
      .flatMap((section) => section.lines),
  );
  return lines.filter((line) => !other.has(line));
}

const toNumber = (text: string) => (/\d/.test(text) ? Number(text) : NUMBERS.indexOf(text.toLowerCase()) + 1);

/** Degrees from the lowest; a higher one includes those below. */
const degrees: { name: string; words: RegExp }[] = [
  {
    name: 'associate',
    words: /\bassociate(?:['’]?s)?(?: degree)?\b(?= (?:degree|of|in)|['’]s)|\bA\.?A\.?S\.?\b/i,
  },
  {
    name: 'bachelor’s',
    words:
      /\b[Bb]achelor(?:['’]?s)?\b|\bB\.\s?(?:A|S|Sc|Eng|Ed|Com)\b\.?|\b(?:BA|BSc|BS|BEng|BEd|BCom|BBA|BSN|BFA|LLB)\b|\bundergraduate degree\b|\bcollege degree\b|\buniversity degree\b/,
  },
  {
    name: 'master’s',
    words:
      /\bmaster(?:['’]?s)? (?:degree|of)\b|\bmaster['’]s\b|\bM\.\s?(?:A|S|Sc|Eng|Ed)\b\.?|\b(?:MSc|MBA|MEng|MEd|MSN|MFA|MPH|LLM)\b|\bgraduate degree\b/i,
  },
  { name: 'doctorate', words: /\bPh\.?\s?D\b|\bdoctor(?:ate|al)\b|\bdoctor of\b/i },
];

function requiredDegree(clauses: readonly JobClause[], lines: readonly ResumeLine[]): Requirement[] {
  for (const { text, sentence, importance } of clauses) {
    const lowest = degrees.findIndex(({ words }) => words.test(text));
    if (lowest < 0 || importance === 'preferred') continue;
    const [highest, line] = highestDegree(lines);
    const enough = highest >= lowest;
    const orElse = /\bor (?:equivalent|comparable|similar|relevant)\b|\bequivalent\b/i.test(text);
    return [
      {
        kind: 'education',
        job: { quote: sentence },
        resume: line && { quote: line.text, page: line.page },
        met: enough ? true : orElse ? null : false,
        note: enough
          ? 'The resume names such a degree, or a higher one.'
          : `The resume names no ${degrees[lowest]?.name ?? ''} degree.${orElse ? ' The job also takes what is equivalent; whether the experience is, cannot be computed.' : ''}`,
      },
    ];
  }
  return [];
}

function highestDegree(lines: readonly ResumeLine[]): [number, ResumeLine | null] {
  for (let level = degrees.length - 1; level >= 0; level -= 1) {
    const line = lines.find(({ text }) => degrees[level]?.words.test(text));
    if (line) return [level, line];
  }
  return [-1, null];
}
