import { findSkills, type SkillMention } from '#libs/local-engine/resume/skills/find-skills.js';
import type { Skill } from '#libs/local-engine/resume/skills/skills.js';
import type { JobClause, Stance } from './job-lines.js';

/** One thing that a job asks for: a skill, or several of which one is enough. */
export interface AskedSkill {
  name: string;
  anyOf: Skill[];
  stance: Stance;
  mentions: number;
  /** The sentence that asks for it most. */
  quote: string;
}

const rank: Record<Stance, number> = { required: 2, mentioned: 1, preferred: 0 };

/** The known skills that a job asks for, in the order of their first mention. */
export function findAskedSkills(clauses: readonly JobClause[]): AskedSkill[] {
  const asked = new Map<string, AskedSkill>();
  for (const { text, sentence, stance } of clauses) {
    for (const anyOf of alternatives(text, findSkills(text))) {
      const name = anyOf.map((skill) => skill.name).join(' or ');
      const known = asked.get(name);
      if (!known) {
        asked.set(name, { name, anyOf, stance, mentions: 1, quote: sentence });
        continue;
      }
      known.mentions += 1;
      if (rank[stance] > rank[known.stance]) Object.assign(known, { stance, quote: sentence });
    }
  }
  return Array.from(asked.values());
}

/** Skills in one list that ends with "or" are one request; all others are one each. */
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
    // What follows "A, B or C" after a comma is another request.
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
