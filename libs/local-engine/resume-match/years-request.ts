import type { Skill } from '#libs/local-engine/resume/skills/skills.js';

/** The subject of requested years: groups of skills, one skill of each group is enough; or words for a field. */
export interface YearsSubject {
  groups: Skill[][];
  /** A subject without known skills. */
  words: string;
  /** True for a proper name such as "Java", false for "backend development". */
  isNamed: boolean;
}

/** Years of experience that a job requests. */
export interface YearsRequest {
  least: number;
  subject: YearsSubject | null;
  /** True if the job accepts something else ("or a degree"). */
  hasAlternative: boolean;
  quote: string;
}
