import { describe, expect, it } from '@jest/globals';
import { keyTerms } from './terms.js';

describe('key terms', () => {
  it.each([
    ['The future of electric cars in the city', ['future', 'electric cars', 'city']],
    ['C++, C# and Node.js for the US market', ['C++', 'C#', 'Node.js', 'US market']],
    ['人工智能的未来', ['人工', '智能', '未来']],
    ['مستقبل الذكاء', ['مستقبل الذكاء']],
    ['Die Zukunft der Städte', ['Zukunft', 'Städte']],
    ['how to do it', []],
    ['🚀🔥 2026', []],
  ])('of %j', (text, terms) => {
    expect(keyTerms(text)).toEqual(terms);
  });

  it('begin with the most frequent one, in any case', () => {
    expect(keyTerms('A boat. The Sea wall is old, and the sea wall is high.')[0]).toBe('Sea wall');
  });

  it('are at most eight, each short', () => {
    const terms = keyTerms(
      `${'x'.repeat(500)}. ${Array.from({ length: 40 }, (_, i) => `term${i}`).join(', ')}`,
    );
    expect(terms.length).toBe(8);
    expect(terms.every((term) => term.length <= 40)).toBe(true);
  });
});
