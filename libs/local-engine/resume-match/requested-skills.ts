import { findSkills } from '#libs/local-engine/resume/skills/find-skills.js';
import { groupAlternatives, type Mention } from './alternatives.js';
import type { Asked, JobRequest } from './comparison.js';
import { isCompany } from './employer.js';
import { foreignNamesIn } from './foreign-names.js';
import type { JobClause } from './job-clauses.js';
import { levelsAfter } from './language-level.js';
import { namesIn } from './requested-names.js';

/** Few, since a name is weaker evidence of a request than a known skill. */
const MAX_NAMES = 14;

const rank: Record<JobRequest['importance'], number> = { required: 2, mentioned: 1, preferred: 0, term: 0 };

/** A skill or name that a clause asks for. */
interface AskedMention extends Mention {
  asked: Asked;
}

/** The skills and names that a job requests, each with the sentence of its highest importance. */
export function findRequestedSkills(clauses: readonly JobClause[]): JobRequest[] {
  const requested = new Map<string, JobRequest>();
  const read = new Map<string, AskedMention[][]>();
  let names = 0;
  for (const clause of clauses) {
    const { text, sentence, importance, posting } = clause;
    const same = `${importance} ${text}`;
    const groups = read.get(same) ?? groupAlternatives(text, mentionsIn(clause), posting.language);
    read.set(same, groups);
    for (const group of groups) {
      const anyOf = Array.from(new Map(group.map((mention) => [mention.name, mention.asked])).values());
      const name = Array.from(new Set(group.map((mention) => mention.name))).join(' or ');
      const key = name.toLowerCase().replace(/s$/, '');
      const known = requested.get(key);
      if (known) {
        known.mentions += 1;
        if (rank[importance] > rank[known.importance]) Object.assign(known, { importance, quote: sentence });
        continue;
      }
      const isName = anyOf.every((asked) => 'term' in asked);
      if (isName && (names += 1) > MAX_NAMES) continue;
      requested.set(key, { name, anyOf, importance, mentions: 1, quote: sentence });
    }
  }
  return Array.from(requested.values());
}

/** The known skills of a clause, and the names between them, in order. */
function mentionsIn(clause: JobClause): AskedMention[] {
  const { text, posting } = clause;
  const skills = findSkills(text, posting)
    .filter((mention) => !isCompany(text, mention, posting.employer))
    .map(({ skill, start, end }) => ({
      name: skill.name,
      impliedBy: skill.impliedBy,
      asked: { skill, level: levelsAfter(skill, text.slice(end))[0] },
      start,
      end,
    }));
  const names =
    posting.unsupported !== null ? [] : posting.language === 'en' ? namesIn(clause) : foreignNamesIn(clause);
  const lower = text.toLowerCase();
  const others = names.map((name) => {
    const start = Math.max(0, lower.indexOf(name.toLowerCase()));
    return { name, impliedBy: [], asked: { term: name }, start, end: start + name.length };
  });
  return [...skills, ...others].sort((a, b) => a.start - b.start);
}
