import type { Skill } from '#libs/local-engine/resume/skills/skills.js';
import type { Requirement, SkillResult } from '#libs/tools/calculate-ats-score/contract.js';
import type { LanguageLevel } from './language-level.js';

/** A known skill, of a language also the lowest level, or a name or term in the words of the job description. */
export type Asked = { skill: Skill; level?: LanguageLevel | undefined } | { term: string };

/** A skill, name or term that a job description asks for. */
export interface JobRequest {
  name: string;
  /** One of these is enough. */
  anyOf: Asked[];
  importance: SkillResult['importance'];
  mentions: number;
  /** The sentence of the job description. */
  quote: string;
}

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
