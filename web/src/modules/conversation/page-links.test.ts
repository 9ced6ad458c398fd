import { describe, expect, it } from '@jest/globals';
import { linkPages, parsePageLink } from './page-links.js';

const citations = [
  { page: 1, quote: 'built in 1874' },
  { page: 2, quote: 'nineteen nautical miles' },
  { page: 2, quote: 'The keeper left.' },
];

describe('page links', () => {
  it('lead to the quote before them', () => {
    const text =
      'Old: “built in 1874” [p. 1]. Far: “nineteen\nnautical miles” [p. 2]. “The keeper left.” [p. 2]';
    const linked = linkPages(text, citations);
    expect(linked).toBe(
      'Old: “built in 1874” [p. 1](#page=1&cited=0). Far: “nineteen\nnautical miles” [p. 2](#page=2&cited=1). “The keeper left.” [p. 2](#page=2&cited=2)',
    );
    expect(parsePageLink('#page=2&cited=2', citations)).toEqual({ page: 2, quote: 'The keeper left.' });
  });

  it('lead to the page if nothing of it is quoted; other brackets stay', () => {
    expect(linkPages('See [p. 3] and [1] and [p. 4](x).', citations)).toBe(
      'See [p. 3](#page=3) and [1] and [p. 4](x).',
    );
    expect(parsePageLink('#page=3', citations)).toEqual({ page: 3, quote: undefined });
  });

  it('lead to one of several documents, which the title names', () => {
    const ofSeveral = [
      { page: 3, source: 1, document: 'a.pdf', quote: 'the rent' },
      { page: 3, source: 2, document: 'b "new" \\.pdf', quote: 'the rent' },
    ];
    expect(linkPages('“the rent” [2, p. 3], [4, p. 3]', ofSeveral)).toBe(
      '“the rent” [2, p. 3](#source=2&page=3&cited=1 "b \\"new\\" \\\\.pdf"), [4, p. 3](#source=4&page=3)',
    );
    expect(parsePageLink('#source=2&page=3&cited=1', ofSeveral)).toEqual({
      source: 2,
      page: 3,
      quote: 'the rent',
    });
    expect(parsePageLink('#source=4&page=3', ofSeveral)).toEqual({ source: 4, page: 3, quote: undefined });
  });

  it('differ from other addresses', () => {
    for (const address of [null, '', '#top', 'https://example.com/#page=1', '#page=x'])
      expect(parsePageLink(address, citations)).toBeNull();
  });
});
