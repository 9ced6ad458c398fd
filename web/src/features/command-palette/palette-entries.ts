import type { LucideIcon } from 'lucide-react';

/** One thing that the palette leads to. */
export interface Entry {
  /** Unique among all. */
  id: string;
  group: string;
  label: string;
  /** Further words by which it is found. */
  keywords?: string;
  note?: string;
  icon: LucideIcon;
  run: () => void;
}

/** Without case and accents. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * The entries that have every word of the query in label or keywords, those first whose label begins with it, then
 * those where a word does; otherwise in their own order.
 */
export function matching<E extends Pick<Entry, 'label' | 'keywords'>>(
  entries: readonly E[],
  query: string,
): E[] {
  const wanted = plain(query).trim();
  if (wanted === '') return [...entries];
  const words = wanted.split(/\s+/);
  const rank = (label: string) => (label.startsWith(wanted) ? 0 : label.includes(` ${wanted}`) ? 1 : 2);
  return entries
    .map((entry) => ({
      entry,
      label: plain(entry.label),
      text: plain(`${entry.label} ${entry.keywords ?? ''}`),
    }))
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .sort((one, other) => rank(one.label) - rank(other.label))
    .map(({ entry }) => entry);
}
