import { createQuoteFinder } from '#libs/local-engine/resume/find-quote.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import { createJudge, type Claim, type ClaimKind, type Judgement } from './judge-claims.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

export interface ClaimsToJudge {
  resume: Resume;
  jobDescription: string;
  claims: Claim[];
  kind: ClaimKind;
}

export function judge({ resume, jobDescription, claims, kind }: ClaimsToJudge): Judgement[] {
  const judgeClaim = createJudge(resume, jobDescription);
  return claims.map((claim) => judgeClaim(claim, kind));
}

/** A quotation as the job description has it, on one line. */
export const findQuote = ({ quote, jobDescription }: { quote: string; jobDescription: string }) =>
  createQuoteFinder([jobDescription])(quote)?.text ?? null;
