import { stemmer } from 'stemmer';
import groups from './synonyms.json' with { type: 'json' };

const byTerm = new Map<string, Set<string>>();
for (const group of groups) {
  const terms = group.map((word) => stemmer(word));
  for (const term of terms) byTerm.set(term, new Set([...(byTerm.get(term) ?? []), ...terms]));
}
for (const [term, others] of byTerm) others.delete(term);

const none: ReadonlySet<string> = new Set();

/** English synonyms of a stemmed word, stemmed too. */
export const synonymsOf = (term: string): ReadonlySet<string> => byTerm.get(term) ?? none;
