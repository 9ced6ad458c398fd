import type { ComparedSkill, Comparison, JobRequest } from './comparison.js';
import type { OriginalText } from './original-text.js';
import { createResumeEvidence, type Evidence, type ResumeEvidence } from './resume-evidence.js';
import { weightOf } from './score.js';
import { findRequestedSkills } from './requested-skills.js';
import { readJobClauses, type JobClause } from './job-clauses.js';
import { findRequestedNames, isOfEmployer, namesOfEmployer } from './requested-names.js';
import { findRequirements } from './requirements.js';
import { findTerms } from './terms.js';

const MAX_SKILLS = 40;

/** Compares a resume with a job description by known skills, requested names and repeated terms. */
export function compareOffline(own: OriginalText, jobDescription: string, now: Date): Comparison {
  const clauses = readJobClauses(jobDescription);
  const evidence = createResumeEvidence(own);
  return {
    skills: findRequests(clauses).map((request) => compared(request, evidenceOf(request, evidence))),
    requirements: findRequirements(clauses, own, now),
    suggestions: [],
  };
}

type WeighedRequest = JobRequest & { weight: number };

/** The requests of a job description, by weight. */
export function findRequests(clauses: readonly JobClause[]): WeighedRequest[] {
  const names = findRequestedNames(clauses);
  const employer = namesOfEmployer(clauses);
  const terms = findTerms(clauses).filter(
    ({ name: term, stems }) =>
      !isOfEmployer(term, employer) &&
      !names.some((name) => ` ${name.stems.join(' ')} `.includes(` ${stems.join(' ')} `)),
  );
  return (
    [...findRequestedSkills(clauses), ...names, ...terms]
      .map((request) => ({ ...request, weight: weightOf(request.importance, request.mentions) }))
      // The sort is stable, so requests of equal weight keep the order of the job description.
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MAX_SKILLS)
  );
}

export const evidenceOf = ({ name, anyOf, stems }: JobRequest, evidence: ResumeEvidence): Evidence | null =>
  anyOf === null ? evidence.ofTerm(name, stems) : evidence.ofAny(anyOf);

function compared(
  { name, importance, weight, quote }: WeighedRequest,
  evidence: Evidence | null,
): ComparedSkill {
  return {
    name,
    match: evidence !== null,
    importance,
    weight,
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
