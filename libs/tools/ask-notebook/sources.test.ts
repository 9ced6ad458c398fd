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
    expect(sources.toJoined('[3, p. 2]')).toBe('');
  }
});

it.each([
  ['What is the deposit?', [1, 2, 3]],
  ['What is the deposit in lease 2024?', [1]],
  ['Compare lease-2024.pdf with Rules.md.', [1, 3]],
  ['What does document 2 say about the lease?', [2]],
  ['What are the rules of the lease?', [1, 2, 3]],
])('finds the documents that a question names: %s', (question, expected) => {
  const documents = [
    document(1, 'Lease 2024.pdf', []),
    document(2, 'Lease.pdf', []),
    document(3, 'rules.md', []),
  ];
  expect(namedIn(question, documents).map(({ source }) => source)).toEqual(expected);
});
