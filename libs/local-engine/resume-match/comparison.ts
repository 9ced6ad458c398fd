import type { Requirement, SkillResult } from '#libs/tools/calculate-ats-score/contract.js';

/** A skill of the job description, judged: one entry of the breakdown. */
export interface ComparedSkill extends SkillResult {
  /** For users, with spaces. */
  name: string;
  /** Named in the resume's list of skills alone. */
  onlyListed: boolean;
}

/** What an engine found out about a resume and a job description; the score follows from it. */
export interface Comparison {
  skills: ComparedSkill[];
  requirements: Requirement[];
  /** Beyond what follows from the skills. */
  suggestions: string[];
}
