import type { ComparedSkill, Comparison } from './comparison.js';
import type { SkillResult } from '#libs/tools/calculate-ats-score/contract.js';
import type { OriginalText } from './original-text.js';
import type { Skill } from '#libs/local-engine/resume/skills/skills.js';
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

/** A skill, name or term that a job description asks for. */
export interface JobRequest {
  name: string;
  importance: SkillResult['importance'];
  weight: number;
  /** The sentence of the job description. */
  quote: string;
  /** Known skills, of which one is enough; null for a name or term, which has stems instead. */
  anyOf: Skill[] | null;
  stems: string[];
}

/** The requests of a job description, by weight. */
export function findRequests(clauses: readonly JobClause[]): JobRequest[] {
  const skills = findRequestedSkills(clauses).map((skill) => ({ ...skill, stems: [] }));
  const names = findRequestedNames(clauses).map((name) => ({ ...name, anyOf: null }));
  const employer = namesOfEmployer(clauses);
  const terms = findTerms(clauses)
    .filter(
      ({ name: term, stems }) =>
        !isOfEmployer(term, employer) &&
        !names.some((name) => ` ${name.stems.join(' ')} `.includes(` ${stems.join(' ')} `)),
    )
    .map((term) => ({ ...term, anyOf: null, importance: 'term' as const }));
  return (
    [...skills, ...names, ...terms]
      .map(({ name, importance, mentions, quote, anyOf, stems }) => {
        return { name, importance, quote, anyOf, stems, weight: weightOf(importance, mentions) };
      })
      // The sort is stable, so requests of equal weight keep the order of the job description.
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MAX_SKILLS)
  );
}

export const evidenceOf = ({ name, anyOf, stems }: JobRequest, evidence: ResumeEvidence): Evidence | null =>
  anyOf === null ? evidence.ofTerm(name, stems) : evidence.ofAny(anyOf);

function compared({ name, importance, weight, quote }: JobRequest, evidence: Evidence | null): ComparedSkill {
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
