import { scoreOf } from '#libs/tools/calculate-ats-score/contract.js';
import type { AtsReport, Skill } from './read-report';

/**
 * The score if the resume also showed the skills `shown`, by the server's own formula. Null for a result of an older version,
 * which does not say what each skill weighs.
 */
export function scoreIfShown({ score, skills }: AtsReport, shown: ReadonlySet<Skill>): number | null {
  const known = skills.flatMap((skill) => (skill.scoring ? [{ skill, ...skill.scoring }] : []));
  if (known.length < skills.length) return null;
  const breakdown = (changed: ReadonlySet<Skill>) =>
    Object.fromEntries(
      known.map(({ skill, weight, credit }, index) => [
        index,
        { weight, credit: changed.has(skill) ? 1 : credit },
      ]),
    );
  return scoreOf(breakdown(new Set())) === score ? scoreOf(breakdown(shown)) : null;
}
