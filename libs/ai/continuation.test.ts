import { expect, it } from '@jest/globals';
import { Continuation } from './continuation.js';

const join = (before: string, after: string) => {
  const continuation = new Continuation(before);
  let text = before;
  for (const piece of after.match(/[\s\S]{1,5}/g) ?? []) text += continuation.add(piece);
  return text + continuation.end();
};

it.each([
  [
    'repeated words',
    'The ship left the old har',
    'ship left the old harbour at dawn.',
    'The ship left the old harbour at dawn.',
  ],
  ['no repetition', 'The ship left', 'at dawn.', 'The ship left at dawn.'],
  ['dots', 'The ship left', '… at dawn.', 'The ship left at dawn.'],
  ['a new section', 'The ship left.', '## Dawn\n\nIt was cold.', 'The ship left.\n\n## Dawn\n\nIt was cold.'],
  ['white space at the end', 'It was cold.\n\n', 'It was cold.\n\nVery.', 'It was cold.\n\nVery.'],
  ['punctuation', 'The ship left the harbour', ', at dawn.', 'The ship left the harbour, at dawn.'],
  ['Chinese', '船离开了', '港口。', '船离开了港口。'],
  ...[
    'Sure! Here is the rest of the article:',
    'Continuing from where I left off:',
    'Here’s the continuation...',
  ].map((remark) => [
    remark,
    'The ship left the old',
    `${remark}\n\nharbour at dawn.`,
    'The ship left the old harbour at dawn.',
  ]),
  ['a line of its own', 'The rest:', 'Here we remain.\nAt dawn.', 'The rest: Here we remain.\nAt dawn.'],
  ['nothing', 'The ship left.', '', 'The ship left.'],
])('joins an answer to its continuation after %s', (_, before, after, whole) => {
  expect(join(before, after)).toBe(whole);
});

it('joins a long repetition, and streams the rest', () => {
  const before = 'word '.repeat(200) + 'The last sentence of the first part ends he';
  const continuation = new Continuation(before);
  expect(continuation.add('The last sentence of the first part ends here. ')).toBe('');
  expect(continuation.add('x'.repeat(400))).toBe(`re. ${'x'.repeat(400)}`);
  expect(continuation.add('y')).toBe('y');
});
