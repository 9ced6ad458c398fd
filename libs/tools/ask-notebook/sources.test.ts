import { describe, expect, it } from '@jest/globals';
import { namedIn } from './named-documents.js';
import { joinSources } from './sources.js';

const document = (source: number, name: string, pages: string[], labels: string[] | null = null) => ({
  id: `id ${source}`,
  ...{ source, name, pages, labels, details: null },
});

describe('documents joined to one', () => {
  const sources = joinSources([
    document(1, 'lease.pdf', ['A', 'B', 'C']),
    document(4, 'Harbour [guide]', ['D', 'E']),
  ]);

  it('have the pages of all', () => {
    expect(sources.pages).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(sources.starts).toEqual([0, 3]);
    expect(sources.placeOf(5)).toEqual({ source: 4, page: '2' });
    expect(sources.cite({ page: 4, quote: 'D' })).toEqual({
      source: 4,
      documentId: 'id 4',
      document: 'Harbour [guide]',
      page: 1,
      quote: 'D',
    });
  });

  it('translate marks of places, in the forms that models write', () => {
    expect(sources.toJoined('"D" [4, p. 1], "B" [1, page 2] and "E" [Source 4, pp. 2-3]')).toBe(
      '"D" [p. 4], "B" [p. 2] and "E" [p. 5]',
    );
    expect(sources.toJoined('None [2, p. 1], [4, p. 3] or [1, p. 0].')).toBe('None ,  or .');
    expect(sources.fromJoined('“D” [p. 4], “B” [p. 2] and [p. 6]')).toBe(
      '“D” [4, p. 1], “B” [1, p. 2] and [p. 6]',
    );
  });
});

it('name pages by their printed numbers', () => {
  const guide = document(3, 'guide.pdf', ['A', 'B', 'C'], ['i', 'ii', '1']);
  for (const sources of [joinSources([guide]), joinSources([document(1, 'x', ['X']), guide])]) {
    const page = sources.starts.length + 2;
    expect(sources.placeOf(page)).toEqual({ source: 3, page: '1' });
    expect(sources.cite({ page, quote: 'C' })).toMatchObject({ page: 3, label: '1' });
    expect(sources.fromJoined(sources.toJoined('“B” [3, p. ii] and [3, p. 1]'))).toBe(
      '“B” [3, p. ii] and [3, p. 1]',
    );
    expect(sources.fromJoined(sources.toJoined('[3, p. 2] and [3, p. 3, at the top]'))).toBe(
      '[3, p. ii] and [3, p. 1]',
    );
    expect(sources.toJoined('[3, p. 4]')).toBe('');
  }
});

it('accept labels of several words', () => {
  const report = document(2, 'report.pdf', ['A', 'B'], ['Annex A 1', 'Annex A: 2/3']);
  const sources = joinSources([document(1, 'x', ['X']), report]);
  expect(sources.toJoined('[2, p. Annex A: 2/3], [2, p. Annex A 1]')).toBe('[p. 3], [p. 2]');
  expect(sources.fromJoined('[p. 3]')).toBe('[2, p. Annex A: 2/3]');
});

it.each([
  ['What is the deposit?', [1, 2, 3]],
  ['What is the deposit in lease 2024?', [1]],
  ['Compare lease-2024.pdf with Rules.md.', [1, 3]],
  ['What does document 2 say about the lease?', [2]],
  ['What are the rules of the lease?', [1, 2, 3]],
  ['Compare lease-2024.pdf with the house rules', [1, 2, 3]],
  ['Compare lease-2024.pdf and rules.md with the annex', [1, 2, 3]],
  ['Compare the deposit in document 2 to that in lease-2024.pdf', [1, 2]],
  ['How does lease-2024.pdf differ from the others?', [1, 2, 3]],
  ['Is the deposit of lease 2024 in all of my documents?', [1, 2, 3]],
  ['What do the house rules and lease-2024.pdf say of dogs?', [1, 2, 3]],
  ['What does rules.md say about dogs, and lease-2024.pdf?', [1, 3]],
  ['List all deadlines in lease-2024.pdf', [1]],
  ['What is the deposit in lease 2024 and when is it due?', [1]],
  ['According to lease-2024.pdf, who pays the rent and the heating?', [1]],
  ['Vergleiche lease-2024.pdf mit der Hausordnung', [1, 2, 3]],
])('finds the documents that a question names: %s', (question, expected) => {
  const documents = [
    document(1, 'Lease 2024.pdf', []),
    document(2, 'Lease.pdf', []),
    document(3, 'rules.md', []),
  ];
  expect(namedIn(question, documents).map(({ source }) => source)).toEqual(expected);
});
