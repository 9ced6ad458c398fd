import { detectResumeLanguage } from '#libs/local-engine/resume/languages/detect.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import type { AtsResult, Requirement } from '#libs/tools/calculate-ats-score/contract.js';
import { findOriginalText, type OriginalText } from './original-text.js';
import { resultOf } from './result.js';
import { chooseStatements, type Selection } from './choose-statements.js';
import { compareOffline } from './compare.js';
import { readJobClauses } from './job-clauses.js';
import { languageLimits } from './language-limits.js';
import { findRequirements } from './requirements.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

export interface Texts {
  resume: Resume;
  jobDescription: string;
  now: Date;
}

/** Why the texts cannot be compared, or the comparison, which is null if the job description requests no skills. */
export type Compared = { limits: string } | { limits: null; content: AtsResult | null };

export function compare({ resume, jobDescription, now }: Texts): Compared {
  const own = findOriginalText(resume.pages, jobDescription);
  const limits = languageLimits(jobDescription, own.context);
  if (limits !== null) return { limits };
  const comparison = compareOffline(own, jobDescription, now);
  return { limits, content: comparison.skills.length === 0 ? null : resultOf(comparison, own) };
}

export const requirements = ({ resume, jobDescription, now }: Texts): Requirement[] =>
  findRequirements(readJobClauses(jobDescription), findOriginalText(resume.pages, jobDescription), now);

export const original = ({ resume, jobDescription }: Omit<Texts, 'now'>): OriginalText =>
  findOriginalText(resume.pages, jobDescription);

/** Why a text for the job cannot be made of the resume; null otherwise. */
export const limits = ({ resume, jobDescription }: Omit<Texts, 'now'>): string | null =>
  languageLimits(jobDescription, detectResumeLanguage(resume.text));

export const choose = ({
  resume,
  jobDescription,
  exclude,
}: Omit<Texts, 'now'> & { exclude: string | undefined }): Selection =>
  chooseStatements(resume, jobDescription, exclude);
