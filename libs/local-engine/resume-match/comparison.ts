import type { Requirement, SkillResult } from '#libs/tools/calculate-ats-score/contract.js';

export interface ComparedSkill extends SkillResult {
  /** With spaces, for users. */
  name: string;
  /** True if only the resume's list of skills names it. */
  onlyListed: boolean;
}

/** The result of an engine, from which the score is computed. */
export interface Comparison {
  skills: ComparedSkill[];
  requirements: Requirement[];
  /** Suggestions beyond those that follow from the skills. */
  suggestions: string[];
}
