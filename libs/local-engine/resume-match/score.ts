import {
  importanceWeights,
  type AtsResult,
  type SkillResult,
} from '#libs/tools/calculate-ats-score/contract.js';

const FREQUENT_MENTIONS = 3;

/** The weight of a skill's importance, plus one if the job description mentions it often. */
export const weightOf = (importance: SkillResult['importance'], mentions: number) =>
  importanceWeights[importance] + (mentions >= FREQUENT_MENTIONS ? 1 : 0);

/** The credited share of all weights, 0 to 100. */
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
