import nouns from './english-nouns.json' with { type: 'json' };

/*
 * The nouns of Harper's dictionary (harper-core/dictionary.dict), https://github.com/Automattic/harper, Copyright the authors
 * of Harper, Apache License 2.0. Nouns that are used with and without an article are mass nouns here.
 */

const count = new Set(nouns.count);
const mass = new Set(nouns.mass);

/** True if a singular noun takes an article ("count") or none ("mass"); null for an unknown noun. */
export const countabilityOf = (noun: string): 'mass' | 'count' | null =>
  count.has(noun) ? 'count' : mass.has(noun) ? 'mass' : null;
