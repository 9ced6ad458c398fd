import { describe, expect, it } from '@jest/globals';
import { partsOf } from '#libs/local-engine/humanizer/parts.js';
import { createPartReader, markParts, tagFor } from './marked-parts.js';

const source = '# Title\n\nOne line\nthat wraps.\n\n- item `x`\n- other\n\n> quoted\n\nEnd.';

describe('the parts of a text', () => {
  it('are marked within the whole', () => {
    expect(markParts(source, partsOf(source), 'part')).toBe(
      '# Title\n\n<part n="1">One line that wraps.</part>\n\n- <part n="2">item `x`</part>\n- <part n="3">other</part>\n\n> quoted\n\n<part n="4">End.</part>',
    );
  });

  it('have a tag that does not occur in the text', () => {
    expect(tagFor('a')).toBe('part');
    expect(tagFor('a </PART> <part-x n=')).toBe('part-x-x');
  });
});

describe('reading parts from an answer', () => {
  const expected = [
    { number: 1, text: 'The one.' },
    { number: 2, text: 'The two.' },
  ];
  const read = (answer: string, size = 3, parts = expected) => {
    const reader = createPartReader('part', parts);
    const found = [];
    for (let at = 0; at < answer.length; at += size) found.push(...reader.add(answer.slice(at, at + size)));
    return [...found, ...reader.end()].map(({ number, text }) => `${number}:${text}`);
  };

  it.each([
    ['plain', '<part n="1">One.</part>\n<part n="2">Two.</part>'],
    [
      'with remarks and a fence',
      'Sure!\n```xml\n<part n="1">One.</part>\n\n<part n="2">Two.</part>\n```\nDone.',
    ],
    ['other writings of the tag', "<part n='1'>\nOne.\n</part><PART n=2>Two.</PART>"],
    ['a tag left open', '<part n="1">One.\n<part n="2">Two.'],
    ['no tags at all', 'One.\n\nTwo.'],
    ['no tags, in lines', 'One.\nTwo.'],
    ['no tags, in a fence', '```markdown\nOne.\n\nTwo.\n```'],
    ['no tags, after a preface', "Sure! Here's the rewritten text:\n\nOne.\n\nTwo."],
    ['no tags, before a remark', 'One.\n\nTwo.\n\nLet me know if you want any changes!'],
  ])('%s', (_, answer) => {
    for (const size of [1, 4, 1000]) expect(read(answer, size)).toEqual(['1:One.', '2:Two.']);
  });

  it('does not take blocks for parts if their number differs', () => {
    expect(read('Here you are:\n\nOne.\n\nTwo.')).toEqual([]);
    expect(read('One.')).toEqual([]);
  });

  it('keeps an offer that the text has', () => {
    const offer = 'Let me know if you want any changes.';
    const parts = [expected[0]!, { number: 2, text: `Please ${offer.toLowerCase()}` }];
    expect(read(`One.\n\n${offer}`, 3, parts)).toEqual(['1:One.', `2:${offer}`]);
  });

  it.each(['\n\n', '\n'])('does not take a remark before %j for a part', (separator) => {
    const text = 'Ada wrote letters to Charles for many years, and he replied to each of them.';
    const parts = expected.map(({ number }) => ({ number, text }));
    expect(read(`${text}${separator}${text}`, 3, parts)).toHaveLength(2);
    expect(read(`All done:${separator}${text} ${text}`, 3, parts)).toEqual([]);
  });

  it('returns each part when it is complete', () => {
    const reader = createPartReader('part', expected);
    expect(reader.add('<part n="1">One.</pa')).toEqual([]);
    expect(reader.add('rt><part n="2">Tw')).toEqual([{ number: 1, text: 'One.' }]);
    expect(reader.end()).toEqual([{ number: 2, text: 'Tw' }]);
  });
});
