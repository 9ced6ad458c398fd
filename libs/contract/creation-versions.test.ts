import { expect, it } from '@jest/globals';
import { contentRefusal, editSchema } from './creation-versions.js';

const tasks = (count: number) =>
  Array.from({ length: count }, (_, index) => `- [ ] Task ${index + 1}\n`).join('');
const article = 'A harbour of boats. '.repeat(14_999);

it.each([
  [' \n ', 'Write between 1 and 300,000 characters.'],
  [
    `${article}The end of **all** the words of a long article.`,
    'The text has 300,027 of 300,000 characters: the limit is at “',
  ],
  [
    tasks(3_001),
    'The text has too many tasks, links and footnotes, from “- [ ] Task 3001” on. Split the text.',
  ],
  ['One\n'.repeat(2_001), 'The text has too many lines, from “One” on. Split the text.'],
  ['Kept.\n\nA smile \ud83d here.', 'at “A smile � here.”. Delete the character and type it again.'],
  ['Kept.\n\nA bell \x07 here.', 'The text has a broken character at “A bell � here.”.'],
  ['Kept.\n\nNothing \0 here.', 'The text has a broken character at “Nothing � here.”.'],
])('says what is wrong with a text, and where', (text, words) => {
  expect(contentRefusal(text)).toContain(words);
  const { error } = editSchema.safeParse({ content: text, session: crypto.randomUUID() });
  expect(error?.issues.map(({ message }) => message)).toEqual([contentRefusal(text)]);
});

it.each([tasks(500), article, '👍 H₂O'])('takes a text within the limits', (text) => {
  expect(contentRefusal(text)).toBeNull();
});
