import {
  degreeLevels,
  degreeNames,
  findDegrees,
  findResumeDegrees,
} from '#libs/local-engine/resume/degrees.js';
import { foreignLanguages } from '#libs/local-engine/resume/languages/languages.js';
import { linesOf, type ResumeLine } from '#libs/local-engine/resume/resume.js';
import type { Requirement } from '#libs/tools/calculate-ats-score/contract.js';
import type { JobClause } from './job-clauses.js';
import type { OriginalText } from './original-text.js';
import { requiredYears } from './required-years.js';

/** The years of experience and the degree that a job requests, compared with the resume's own text. */
export function findRequirements(clauses: readonly JobClause[], own: OriginalText, now: Date): Requirement[] {
  const lines = linesOf(own.pages);
  return [...requiredYears(clauses, lines, now, own.context), ...requiredDegree(clauses, lines, now)];
}

/** A degree of any level, such as "a degree in biology". */
const ANY_DEGREE =
  /\b(?:an?|the|relevant|related|technical|university|college|four[- ]year|4[- ]year|stem)\s+degree\b|\bdegree\s+(?:in|or|required|preferred|from)\b|\bdegree[- ]educated\b|\bgraduate in\b/i;

function requiredDegree(
  clauses: readonly JobClause[],
  lines: readonly ResumeLine[],
  now: Date,
): Requirement[] {
  for (const { text, sentence, importance, posting } of clauses) {
    const foreign = foreignLanguages.get(posting.language);
    const asked = findDegrees(text, false).filter(({ start }) => !isDegreeOfOthers(text, start));
    const isAny = asked.length === 0 && (ANY_DEGREE.test(text) || (foreign?.degree.test(text) ?? false));
    if ((asked.length === 0 && !isAny) || importance === 'preferred') continue;
    const level = isAny ? degreeLevels.indexOf('bachelor’s') : Math.min(...asked.map(({ lowest }) => lowest));
    return [
      {
        kind: 'education',
        job: { quote: sentence },
        ...judgeDegree(level, isOrElse(text) || (foreign?.equivalent.test(text) ?? false), lines, now),
      },
    ];
  }
  return [];
}

const isOrElse = (text: string) =>
  /\bor (?:equivalent|comparable|similar|relevant|\d|an? equivalent|work|experience|years)\b|\bequivalent\b|\bor\b[^.;]*\bexperience\b/i.test(
    text,
  );

/** True if the degree is one of others: "You will teach students towards their PhD". */
const isDegreeOfOthers = (text: string, at: number) =>
  /\b(?:mentor|teach|supervis|support|advis|help|train)\w*\b[^.;]{0,40}$/i.test(text.slice(0, at));

function judgeDegree(
  level: number,
  orElse: boolean,
  lines: readonly ResumeLine[],
  now: Date,
): Pick<Requirement, 'met' | 'note' | 'resume'> {
  const named = findResumeDegrees(lines, now).sort((a, b) => b.lowest - a.lowest || b.highest - a.highest);
  const enough = named.find(({ lowest, isUnfinished }) => lowest >= level && !isUnfinished);
  const perhaps = named.find(({ highest }) => highest >= level);
  const line = (enough ?? perhaps ?? named[0])?.line;
  const resume = line ? { quote: line.text, page: line.page } : null;
  if (enough) return { met: true, resume, note: 'The resume names such a degree, or a higher one.' };
  if (perhaps) {
    return {
      met: null,
      resume,
      note: perhaps.isUnfinished
        ? 'The resume names such a degree as not finished yet.'
        : `The resume names a degree that counts as ${aOrAn(degreeNames[degreeLevels[perhaps.highest]!])} or as the one below it, depending on where and when.`,
    };
  }
  return {
    met: orElse ? null : false,
    resume,
    note: `The resume names no ${degreeNames[degreeLevels[level]!]}.${orElse ? ' The job also takes what is equivalent; whether the experience is, cannot be computed.' : ''}`,
  };
}

const aOrAn = (name: string) => (name.startsWith('associate') ? `an ${name}` : `a ${name}`);
