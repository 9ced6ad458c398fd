import type { AtsReport, Skill } from './read-report';

/** Differences between two reports. Lists contain names of skills. */
export interface ReportChange {
  points: number;
  found: string[];
  lost: string[];
  onlyInOne: string[];
}

const keyOf = ({ name }: Skill) => name.toLowerCase();

export function compareReports(before: AtsReport, now: AtsReport): ReportChange {
  const earlier = new Map(before.skills.map((skill) => [keyOf(skill), skill]));
  const later = new Set(now.skills.map(keyOf));
  const changed = (isMatch: boolean) =>
    now.skills.filter((skill) => {
      const known = earlier.get(keyOf(skill));
      return known !== undefined && known.match !== isMatch && skill.match === isMatch;
    });
  return {
    points: now.score - before.score,
    found: namesOf(changed(true)),
    lost: namesOf(changed(false)),
    onlyInOne: namesOf([
      ...now.skills.filter((skill) => !earlier.has(keyOf(skill))),
      ...before.skills.filter((skill) => !later.has(keyOf(skill))),
    ]),
  };
}

const namesOf = (skills: readonly Skill[]) => skills.map(({ name }) => name);
