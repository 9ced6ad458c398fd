import { hasProductForm } from '#libs/local-engine/resume/skills/named-products.js';
import { tokenise } from '#libs/local-engine/resume/tokens.js';
import { languageName } from '#libs/local-engine/text/language.js';
import { shorten } from '#libs/contract/text.js';
import type { Asked, ComparedSkill, Comparison, JobRequest } from './comparison.js';
import { isOfEmployer } from './employer.js';
import { readJobClauses, type JobClause } from './job-clauses.js';
import { isLower, type LanguageLevel } from './language-level.js';
import type { OriginalText } from './original-text.js';
import { findRequestedSkills } from './requested-skills.js';
import { findRequirements } from './requirements.js';
import { createResumeEvidence, trimBullet, type Evidence, type ResumeEvidence } from './resume-evidence.js';
import { weightOf } from './score.js';
import { findTerms } from './terms.js';

const MAX_SKILLS = 40;

/** Compares a resume with a job description by known skills, requested names and repeated terms. */
export function compareOffline(own: OriginalText, jobDescription: string, now: Date): Comparison {
  const clauses = readJobClauses(jobDescription);
  const evidence = createResumeEvidence(own);
  return {
    skills: findRequests(clauses, own.context.language).map((request) =>
      compared(
        request,
        evidenceOf(request, evidence) ?? writtenIn(request.anyOf, own),
        lowerLevel(request.anyOf, evidence),
      ),
    ),
    requirements: findRequirements(clauses, own, now),
    suggestions: [],
  };
}

type WeighedRequest = JobRequest & { weight: number };

/** The requests of a job description, by weight. @param resumeLanguage phrases of another language are left out */
export function findRequests(clauses: readonly JobClause[], resumeLanguage: string): WeighedRequest[] {
  const asked = findRequestedSkills(clauses).filter(({ anyOf }) =>
    clauses[0]?.posting.language === resumeLanguage
      ? true
      : anyOf.some((one) => 'skill' in one || one.term.split(' ').some(hasProductForm)),
  );
  const names = asked.flatMap(({ anyOf }) =>
    anyOf.flatMap((one) => ('term' in one ? [one.term.toLowerCase()] : [])),
  );
  const terms = clauses[0]?.posting.language === resumeLanguage ? findTerms(clauses) : [];
  return (
    [
      ...asked,
      ...terms.filter(
        ({ name, stems }) =>
          !isOfEmployer(name, clauses[0]!.posting.employer) &&
          !names.some((own) => ` ${stemsOf(own)} `.includes(` ${stems.join(' ')} `)),
      ),
    ]
      .map((request) => ({ ...request, weight: weightOf(request.importance, request.mentions) }))
      // The sort is stable, so requests of equal weight keep the order of the job description.
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MAX_SKILLS)
  );
}

const stemsOf = (text: string) =>
  tokenise(text)
    .map(({ stem }) => stem)
    .join(' ');

export const evidenceOf = ({ anyOf }: JobRequest, evidence: ResumeEvidence): Evidence | null =>
  evidence.ofAny(anyOf);

interface LowerLevel {
  asked: LanguageLevel;
  shown: LanguageLevel;
}

/** The level of a language that is lower than the requested one; null if one of several languages is not. */
function lowerLevel(anyOf: readonly Asked[], evidence: ResumeEvidence): LowerLevel | null {
  const lower = anyOf.flatMap((one): LowerLevel[] => {
    if (!('skill' in one) || one.level === undefined) return [];
    const shown = evidence.levelOf(one.skill);
    return shown && isLower(shown, one.level) ? [{ asked: one.level, shown }] : [];
  });
  return lower.length === anyOf.length ? (lower[0] ?? null) : null;
}

/** A sentence of the resume shows the language that it is written in. */
export function writtenIn(anyOf: readonly Asked[], { pages, context }: OriginalText): Evidence | null {
  const name = context.unsupported ?? languageName(context.language);
  if (!anyOf.some((one) => 'skill' in one && one.skill.name === name)) return null;
  for (const [index, page] of pages.entries()) {
    const sentence = page.split('\n').find((line) => line.trim().split(/\s+/).length >= SENTENCE_WORDS);
    if (sentence)
      return {
        quote: shorten(trimBullet(sentence), 180),
        page: index + 1,
        names: name,
        isKeyword: false,
        isListed: false,
      };
  }
  return null;
}

/** A line with fewer words is a heading or a list. */
const SENTENCE_WORDS = 8;

function compared(
  { name, importance, weight, quote }: WeighedRequest,
  evidence: Evidence | null,
  lower: LowerLevel | null,
): ComparedSkill {
  return {
    name,
    match: evidence !== null,
    importance,
    weight,
    credit: evidence ? (evidence.isKeyword || lower ? 0.5 : 1) : 0,
    job: { quote },
    resume: evidence && { quote: evidence.quote, page: evidence.page },
    feedback: feedbackOn(name, evidence, lower),
    onlyListed: evidence?.isListed ?? false,
  };
}

function feedbackOn(name: string, evidence: Evidence | null, lower: LowerLevel | null): string {
  if (!evidence) return 'Not found in the resume.';
  const place = `on page ${evidence.page}`;
  if (evidence.isKeyword) return `Found ${place}, but only in a long list of keywords: counted by half.`;
  if (lower)
    return `Found ${place} with ${lower.shown}, but the job asks for ${lower.asked}: counted by half.`;
  const through = name.split(' or ').includes(evidence.names) ? '' : ` through ${evidence.names}`;
  return evidence.isListed ? `Listed ${place}${through}.` : `Found ${place}${through}.`;
}
