import { describe, expect, it } from '@jest/globals';
import { filterEntries } from './filter-entries.js';

const entries = [
  { label: 'Write Article' },
  { label: 'Title Generator', keywords: 'blog headlines' },
  { label: 'Generate Images' },
  { label: 'Über den Wolken' },
];
const labels = (query: string) => filterEntries(entries, query).map(({ label }) => label);

describe('filterEntries', () => {
  it('returns all entries in their order for a blank query', () => {
    expect(labels('  ')).toEqual(entries.map(({ label }) => label));
  });

  it('sorts labels that begin with the query first', () => {
    expect(labels('gen')).toEqual(['Generate Images', 'Title Generator']);
  });

  it('requires every word, in label or keywords, in any order', () => {
    expect(labels('headlines title')).toEqual(['Title Generator']);
    expect(labels('title images')).toEqual([]);
  });

  it('ignores case and accents', () => {
    expect(labels('UBER wolken')).toEqual(['Über den Wolken']);
  });
});
