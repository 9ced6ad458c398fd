import { expect, it } from '@jest/globals';
import { fileNameOf } from './file-name.js';

it.each([
  ['Growing tomatoes', 'Growing tomatoes.md'],
  ['What? A/B: "C" \\ <D>\n|E*', 'What A B C D E.md'],
  ['../../etc/passwd', 'etc passwd.md'],
  ['图书馆 и Zürich 🍅', '图书馆 и Zürich 🍅.md'],
  ['  ...  ', 'Pressroom.md'],
  ['Cover letter from mara.PDF', 'Cover letter from mara.md'],
  ['con', 'Pressroom con.md'],
  [`${'Growing tomatoes '.repeat(4)}indoors in winter`, `${'Growing tomatoes '.repeat(4)}indoors in.md`],
  ['x'.repeat(200), `${'x'.repeat(80)}.md`],
])('names the file of %j', (title, name) => {
  expect(fileNameOf(title, 'md')).toBe(name);
});
