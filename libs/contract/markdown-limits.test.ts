import { describe, expect, it } from '@jest/globals';
import {
  boundMarkdown,
  isWithinMarkdownLimits,
  markdownExcess,
  MARKDOWN_MAX_CHARACTERS,
} from './markdown.js';

const WORDS = 'Some words of an item, as people write them, with a few more';

describe('a text of 290,000 characters', () => {
  it.each([
    ['a list', `- ${WORDS}.\n`],
    [
      'paragraphs with bold words and links',
      `${WORDS}, **bold**, and [a link](https://example.com/page).\n\n`,
    ],
    [
      'code and tags',
      `Use \`git log\` and \`git show\`, ${WORDS}.\n\n\`\`\`\n<p>${WORDS}. ${WORDS}.</p>\n\`\`\`\n\n`,
    ],
    ['a list of tasks', `- [ ] ${WORDS}. ${WORDS}.\n`],
    ['headings', `## ${WORDS}\n\n${WORDS}. ${WORDS}.\n\n`],
  ])('with %s is within the limits', (_, unit) => {
    const text = unit.repeat(Math.floor(290_000 / unit.length));
    expect(text.length).toBeLessThan(MARKDOWN_MAX_CHARACTERS);
    expect(markdownExcess(text)).toBeNull();
    expect(boundMarkdown(text)).toBe(text);
  });
});

it('has at most 20,000 cells in tables, with those that a page adds to short rows', () => {
  const table = (columns: number, rows: number) =>
    `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'a\n'.repeat(rows)}\n`;
  expect(isWithinMarkdownLimits(table(100, 199))).toBe(true);
  expect(isWithinMarkdownLimits(`${table(100, 99)}${'One - two.\n\n'.repeat(2_000)}${table(100, 99)}`)).toBe(
    true,
  );
  const text = table(1_000, 20);
  expect(markdownExcess(text)).toEqual({ of: 'cells of tables', at: text.length - 3 });
  expect(isWithinMarkdownLimits(table(20_001, 0).replaceAll('\n', '\n> '))).toBe(false);
});

it('has at most 30 combining characters in a row', () => {
  expect(markdownExcess(`a${'\u0301'.repeat(30)}b${'\u0301'.repeat(30)}`)).toBeNull();
  expect(markdownExcess(`a${'\u0301'.repeat(31)}`)).toEqual({ of: 'accents on one letter', at: 31 });
});

it.each(['.', ')', '&a;', '_.', '&abcdefghi;', '".'])(
  'has at most 100 of %s in a row in an address',
  (unit) => {
    const row = unit.repeat(100 / unit.length).padEnd(100, '.');
    expect(markdownExcess(`${row}${row} https://a.b/${row}x${row}`)).toBeNull();
    const text = `https://a.b/${row}${row}${row}x`;
    expect(markdownExcess(text)).toEqual({ of: 'punctuation marks in a row', at: 112 });
    const bounded = boundMarkdown(text);
    expect(bounded).toHaveLength(text.length);
    expect(markdownExcess(bounded)).toBeNull();
  },
);

describe('one block', () => {
  it.each([
    ['lines', 'lines', 'a\n', 2_000],
    ['indented items, which continue a paragraph', 'lines', 'a\n     - b\n', 1_000],
    ['underlined headings', 'lines', 'a\n=\n', 1_000],
    ['numbers, which continue a paragraph', 'lines', '2. a\n', 2_000],
    ['brackets', 'tasks, links and footnotes', '[a] ', 500],
    ['emphasis', 'bold, italic and struck out words', '*a_ ', 1_000],
    ['backticks', 'pieces of code', '`a` ', 5_000],
    ['tags', 'tags', '<b> ', 25_000],
    ['mail addresses', 'addresses', 'a@b.c ', 6_000],
    ['web addresses', 'addresses', 'http://a.b ', 6_000],
    ['web addresses with www', 'addresses', 'http://www.a.b ', 6_000],
  ])('of too many %s is bounded', (_, of, unit, count) => {
    const most = unit.repeat(count);
    expect(isWithinMarkdownLimits(most)).toBe(true);
    const text = `${most}${unit}`;
    expect(markdownExcess(text)?.of).toBe(of);
    const bounded = boundMarkdown(text);
    expect(bounded).toHaveLength(text.length);
    expect(markdownExcess(bounded)).toBeNull();
  });
});

it('bounds the marks of a paragraph whose line ends it has bounded', () => {
  const text = `${'\n'.repeat(9_990)}${`${'*a_ '.repeat(600)}\n\n`.repeat(10)}`;
  expect(markdownExcess(boundMarkdown(text))).toBeNull();
});
