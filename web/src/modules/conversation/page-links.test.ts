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
      '“the rent” [2, p. 3](#source=2&page=3&cited=1 "b \\"new\\" \\\\.pdf"), [4, p. 3](#source=4&label=3)',
    );
    expect(parsePageLink('#source=2&page=3&cited=1', ofSeveral)).toEqual({
      source: 2,
      page: 3,
      quote: 'the rent',
    });
    expect(parsePageLink('#source=4&page=3', ofSeveral)).toEqual({ source: 4, page: 3, quote: undefined });
  });

  it('lead to pages by their printed labels', () => {
    const labelled = [
      { page: 3, label: 'iii', quote: 'the people who helped' },
      { page: 7, label: '3', quote: 'the tide turns' },
    ];
    expect(linkPages('“the people who helped” [p. iii], “the tide turns” [p. 3]', labelled)).toBe(
      '“the people who helped” [p. iii](#page=3&cited=0), “the tide turns” [p. 3](#page=7&cited=1)',
    );
    expect(linkPages('See [p. 5] and [p. A 2].', labelled)).toBe(
      'See [p. 5](#label=5) and [p. A 2](#label=A%202).',
    );
    expect(linkPages('See [p. Appendix to part B: 12/3].', labelled)).toBe(
      'See [p. Appendix to part B: 12/3](#label=Appendix%20to%20part%20B%3A%2012%2F3).',
    );
    expect(linkPages('See [p. 5].', [])).toBe('See [p. 5](#label=5).');
    expect(parsePageLink('#label=A%202', [])).toEqual({ label: 'A 2', quote: undefined });
    expect(parsePageLink('#label=%', [])).toEqual({ label: '%', quote: undefined });
  });

  it('differ from other addresses', () => {
    for (const address of [null, '', '#top', 'https://example.com/#page=1', '#page=x'])
      expect(parsePageLink(address, citations)).toBeNull();
  });
});
