import type { ComparedSkill, Comparison } from './comparison.js';
import type { SkillResult } from '#libs/tools/calculate-ats-score/contract.js';
import type { OriginalText } from './original-text.js';
import { createResumeEvidence, type Evidence } from './resume-evidence.js';
import { weightOf } from './score.js';
import { findRequestedSkills } from './requested-skills.js';
import { readJobClauses } from './job-clauses.js';
import { findRequestedNames, isOfEmployer, namesOfEmployer } from './requested-names.js';
import { findRequirements } from './requirements.js';
import { findTerms } from './terms.js';

const MAX_SKILLS = 40;

/** Compares by words: known skills, other names that the job description asks for, and terms that it repeats. */
export function compareOffline(own: OriginalText, jobDescription: string, now: Date): Comparison {
  const clauses = readJobClauses(jobDescription);
  const evidence = createResumeEvidence(own);
  const skills = findRequestedSkills(clauses).map(({ name, anyOf, importance, mentions, quote }) =>
    compared(name, importance, mentions, quote, evidence.ofAny(anyOf)),
  );
  const names = findRequestedNames(clauses);
  const employer = namesOfEmployer(clauses);
  const terms = findTerms(clauses).filter(
    ({ name: term, stems }) =>
      !isOfEmployer(term, employer) &&
      !names.some((name) => ` ${name.stems.join(' ')} `.includes(` ${stems.join(' ')} `)),
  );
  const named = names.map(({ name, stems, importance, mentions, quote }) =>
    compared(name, importance, mentions, quote, evidence.ofTerm(name, stems)),
  );
  const repeated = terms.map(({ name, stems, mentions, quote }) =>
    compared(name, 'term', mentions, quote, evidence.ofTerm(name, stems)),
  );
  return {
    // The sort is stable: of equal weight, what comes first in the job description comes first.
    skills: [...skills, ...named, ...repeated].sort((a, b) => b.weight - a.weight).slice(0, MAX_SKILLS),
    requirements: findRequirements(clauses, own, now),
    suggestions: [],
  };
}

function compared(
  name: string,
  importance: SkillResult['importance'],
  mentions: number,
  quote: string,
  evidence: Evidence | null,
): ComparedSkill {
  return {
    name,
    match: evidence !== null,
    importance,
    weight: weightOf(importance, mentions),
    credit: evidence ? (evidence.isKeyword ? 0.5 : 1) : 0,
    job: { quote },
    resume: evidence && { quote: evidence.quote, page: evidence.page },
    feedback: feedbackOn(name, evidence),
    onlyListed: evidence?.isListed ?? false,
  };
}

function feedbackOn(name: string, evidence: Evidence | null): string {
  if (!evidence) return 'Not found in the resume.';
  const place = `on page ${evidence.page}`;
  if (evidence.isKeyword) return `Found ${place}, but only in a long list of keywords: counted by half.`;
  const through = name.split(' or ').includes(evidence.names) ? '' : ` through ${evidence.names}`;
  return evidence.isListed ? `Listed ${place}${through}.` : `Found ${place}${through}.`;
}
