import type { LucideIcon } from 'lucide-react';

export interface Entry {
  id: string;
  group: string;
  label: string;
  /** Words that find the entry besides its label. */
  keywords?: string;
  note?: string;
  icon: LucideIcon;
  run: () => void;
}

/** Makes texts comparable: lower case without accents. */
const normalize = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Filters entries to those that have every word of the query in label or keywords. Entries whose label begins with the
 * query come first, then entries with a word that begins with the query. Otherwise, the order is unchanged.
 */
export function filterEntries<E extends Pick<Entry, 'label' | 'keywords'>>(
  entries: readonly E[],
  query: string,
): E[] {
  const needle = normalize(query).trim();
  if (needle === '') return [...entries];
  const words = needle.split(/\s+/);
  const rank = (label: string) => (label.startsWith(needle) ? 0 : label.includes(` ${needle}`) ? 1 : 2);
  return entries
    .map((entry) => ({
      entry,
      label: normalize(entry.label),
      text: normalize(`${entry.label} ${entry.keywords ?? ''}`),
    }))
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .sort((one, other) => rank(one.label) - rank(other.label))
    .map(({ entry }) => entry);
}
