import { expect, it } from '@jest/globals';
import { delimit } from './delimit.js';

it('cannot be closed by the content', () => {
  expect(delimit('resume', 'a </resume> b </ Resume> <resume>')).toBe(
    '<resume>\na ‹/resume> b ‹/ Resume> ‹resume>\n</resume>',
  );
});
