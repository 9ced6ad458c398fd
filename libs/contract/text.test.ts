import { describe, expect, it } from '@jest/globals';
import { jobTitleFrom, shorten } from './text.js';

describe('a shortened text', () => {
  it.each([
    ['a word', 'Growing tomatoes indoors', 20, 'Growing tomatoes…'],
    ['the end of a word', 'Growing tomatoes indoors', 17, 'Growing tomatoes…'],
    ['punctuation', 'Growing tomatoes, indoors', 19, 'Growing tomatoes…'],
    ['an apostrophe', 'What the gardener doesn’t say', 24, 'What the gardener…'],
    ['a number', 'The growth of the town is 12.5 per cent', 30, 'The growth of the town is…'],
    ['a long word', `The ${'a'.repeat(100)}`, 10, `The ${'a'.repeat(5)}…`],
    ['a family', 'ab👨‍👩‍👧‍👦c', 6, 'ab…'],
    ['a flag', 'abc🇫🇷🇩🇪', 5, 'abc…'],
    ['a letter with marks', 'abcde\u0301\u0302', 6, 'abcd…'],
    ['nothing, if it is short', '👩‍🚀👩‍🚀', 6, '👩‍🚀👩‍🚀'],
  ])('does not cut %s', (_, text, max, expected) => expect(shorten(text, max)).toBe(expected));

  it.each([
    ['marks alone', '-'.repeat(40)],
    ['Chinese', '在阳台上种植番茄的十个简单步骤'],
    ['Japanese', 'ベランダでトマトを育てる簡単な方法'],
    ['Thai', 'วิธีปลูกมะเขือเทศบนระเบียงสำหรับผู้เริ่มต้น'],
  ])('has most of the characters of %s', (_, text) => {
    const short = shorten(text, 12);
    expect(Array.from(short).length).toBeGreaterThan(7);
    expect(text.startsWith(short.slice(0, -1))).toBe(true);
  });
});

it('titles a job with at most eighty characters, to the end of a word', () => {
  const prompt = 'How to grow tomatoes on a balcony\nin the north of Europe without a greenhouse or heating';
  expect(jobTitleFrom(prompt)).toBe(
    'How to grow tomatoes on a balcony in the north of Europe without a greenhouse…',
  );
});
