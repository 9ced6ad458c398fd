import { findSkills, type SkillMention } from '#libs/local-engine/resume/skills/find-skills.js';
import type { Skill } from '#libs/local-engine/resume/skills/skills.js';
import type { JobRequest } from './comparison.js';
import type { JobClause } from './job-clauses.js';

const rank: Record<JobRequest['importance'], number> = { required: 2, mentioned: 1, preferred: 0, term: 0 };

/** The skills that a job requests, each with the sentence of its highest importance. */
export function findRequestedSkills(clauses: readonly JobClause[]): JobRequest[] {
  const requested = new Map<string, JobRequest>();
  for (const { text, sentence, importance } of clauses) {
    for (const anyOf of alternatives(text, findSkills(text))) {
      const name = anyOf.map((skill) => skill.name).join(' or ');
      const known = requested.get(name);
      if (!known) {
        requested.set(name, { name, anyOf, stems: [], importance, mentions: 1, quote: sentence });
        continue;
      }
      known.mentions += 1;
      if (rank[importance] > rank[known.importance]) Object.assign(known, { importance, quote: sentence });
    }
  }
  return Array.from(requested.values());
}

/** Skills in one list that ends with "or" are one request; every other skill is its own. */
const alternatives = (text: string, mentions: readonly SkillMention[]) =>
  groupAlternatives(
    text,
    mentions,
    /\bor\b/i,
    // Skills after "A, B or C," are another request.
    (between, hasOr) =>
      /^\s*(?:,|,?\s*(?:and\/)?or|\/)\s*$/i.test(between) && !(hasOr && !/\bor\b/i.test(between)),
  );

/**
 * The skills of lists with an "or" as one group each, every other skill as its own.
 * @param continues whether a list goes on across the text between two skills
 */
export function groupAlternatives(
  text: string,
  mentions: readonly SkillMention[],
  or: RegExp,
  continues: (between: string, hasOr: boolean) => boolean,
): Skill[][] {
  const groups: Skill[][] = [];
  let chain: Skill[] = [];
  let hasOr = false;
  const endChain = () => {
    if (hasOr) groups.push(Array.from(new Set(chain)));
    else groups.push(...chain.map((skill) => [skill]));
    chain = [];
    hasOr = false;
  };
  for (const [index, { skill, start }] of mentions.entries()) {
    const before = mentions[index - 1];
    const between = before ? text.slice(before.end, start) : '';
    if (before && !continues(between, hasOr)) endChain();
    hasOr ||= chain.length > 0 && or.test(between);
    chain.push(skill);
  }
  endChain();
  return groups;
}
