import { findSkills, type SkillMention } from '#libs/local-engine/resume/skills/find-skills.js';
import type { Skill } from '#libs/local-engine/resume/skills/skills.js';
import type { JobClause, ClauseImportance } from './job-clauses.js';

/** A skill that a job requests, or several of which one is enough. */
export interface RequestedSkill {
  name: string;
  anyOf: Skill[];
  importance: ClauseImportance;
  mentions: number;
  /** The sentence with the highest importance. */
  quote: string;
}

const rank: Record<ClauseImportance, number> = { required: 2, mentioned: 1, preferred: 0 };

export function findRequestedSkills(clauses: readonly JobClause[]): RequestedSkill[] {
  const requested = new Map<string, RequestedSkill>();
  for (const { text, sentence, importance } of clauses) {
    for (const anyOf of alternatives(text, findSkills(text))) {
      const name = anyOf.map((skill) => skill.name).join(' or ');
      const known = requested.get(name);
      if (!known) {
        requested.set(name, { name, anyOf, importance, mentions: 1, quote: sentence });
        continue;
      }
      known.mentions += 1;
      if (rank[importance] > rank[known.importance]) Object.assign(known, { importance, quote: sentence });
    }
  }
  return Array.from(requested.values());
}

/** Skills in one list that ends with "or" are one request; every other skill is its own. */
function alternatives(text: string, mentions: SkillMention[]): Skill[][] {
  const groups: Skill[][] = [];
  let chain: Skill[] = [];
  let hasOr = false;
  const endChain = () => {
    if (hasOr) groups.push(unique(chain));
    else groups.push(...chain.map((skill) => [skill]));
    chain = [];
    hasOr = false;
  };
  for (const [index, { skill, start }] of mentions.entries()) {
    const before = mentions[index - 1];
    const between = before ? text.slice(before.end, start) : '';
    // Skills after "A, B or C," are another request.
    if (
      before &&
      (!/^\s*(?:,|,?\s*(?:and\/)?or|\/)\s*$/i.test(between) || (hasOr && !/\bor\b/i.test(between)))
    ) {
      endChain();
    }
    hasOr ||= chain.length > 0 && /\bor\b/i.test(between);
    chain.push(skill);
  }
  endChain();
  return groups;
}

const unique = (list: Skill[]) => Array.from(new Set(list));
