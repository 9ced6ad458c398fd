import type { Requirement, SkillResult } from '#libs/tools/calculate-ats-score/contract.js';

export interface ComparedSkill extends SkillResult {
  /** For users, with spaces. */
  name: string;
  /** Named in the resume's list of skills alone. */
  onlyListed: boolean;
}

/** The result of an engine, from which the score is computed. */
export interface Comparison {
  skills: ComparedSkill[];
  requirements: Requirement[];
  /** In addition to those that follow from the skills. */
  suggestions: string[];
}
