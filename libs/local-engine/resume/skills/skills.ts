import { business } from './business.js';
import { careAndTeaching } from './care-and-teaching.js';
import { craftsAndCreation } from './crafts-and-creation.js';
import { technology } from './technology.js';

export interface SkillTerm {
  text: string;
  /** Also an everyday word or initials: it counts only in this case, and in a list or a fitting phrase. */
  ambiguous: boolean;
}

export interface Skill {
  name: string;
  terms: SkillTerm[];
  /** Skills that imply this one, as PostgreSQL implies relational databases. */
  shownBy: string[];
}

const listed = (text: string) => (text ? text.split(', ') : []);
const bare = (term: string) => term.replace(/^=/, '');

/**
 * Every skill that is known by name. A line of the lists is `Name | other term, other term > shown by, shown by`;
 * `=` before a term marks it as ambiguous.
 */
export const skills: readonly Skill[] = [technology, business, careAndTeaching, craftsAndCreation]
  .flatMap((list) => list.trim().split('\n'))
  .map(readLine);

function readLine(line: string): Skill {
  const [naming = '', showing = ''] = line.split(' > ');
  const [name = '', others = ''] = naming.split(' | ');
  const terms = [name, ...listed(others)];
  return {
    name: bare(name),
    terms: terms.map((term) => ({ text: bare(term), ambiguous: term.startsWith('=') })),
    shownBy: listed(showing).map(bare),
  };
}
