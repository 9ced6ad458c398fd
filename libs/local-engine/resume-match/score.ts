import {
  importanceWeights,
  type AtsResult,
  type SkillResult,
} from '#libs/tools/calculate-ats-score/contract.js';

/** Mentions from which on a job description names a skill often. */
const OFTEN = 3;

/** What a skill weighs: by its importance, and one more when the job description names it often. */
export const weightOf = (importance: SkillResult['importance'], mentions: number) =>
  importanceWeights[importance] + (mentions >= OFTEN ? 1 : 0);

/** The score of a breakdown, 0 to 100: the share of its weight that the resume is credited with. */
export function scoreOf(breakdown: AtsResult['breakdown']): number {
  let weights = 0;
  let credited = 0;
  for (const { weight, credit } of Object.values(breakdown)) {
    weights += weight;
    credited += weight * credit;
  }
  if (weights === 0) return 0;
  return Math.min(100, Math.max(0, Math.round((100 * credited) / weights)));
}
