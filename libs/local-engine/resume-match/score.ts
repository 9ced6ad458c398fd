import { importanceWeights, type SkillResult } from '#libs/tools/calculate-ats-score/contract.js';

const FREQUENT_MENTIONS = 3;

/** The weight of a skill's importance, plus one if the job description mentions it often. */
export const weightOf = (importance: SkillResult['importance'], mentions: number) =>
  importanceWeights[importance] + (mentions >= FREQUENT_MENTIONS ? 1 : 0);
