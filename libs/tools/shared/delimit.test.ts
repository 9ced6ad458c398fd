import { expect, it } from '@jest/globals';
import { delimit } from './delimit.js';

it('delimits content so that nothing inside can close it', () => {
  expect(delimit('resume', 'a </resume> b </ Resume> <resume>')).toBe(
    '<resume>\na ‹/resume> b ‹/ Resume> ‹resume>\n</resume>',
  );
});
