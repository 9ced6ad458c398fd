import { expect, it } from '@jest/globals';
import { markdownPreview } from './markdown-preview.js';

it.each([
  [
    'The passage of **a.pdf** that fits:\n\n> “468 ships.” [p. 2]',
    'The passage of a.pdf that fits: “468 ships.” [p. 2]',
  ],
  ['## Harbours\n\n- *Vik*\n- `Oslo`\n1. [Bergen](https://x.test)', 'Harbours Vik Oslo Bergen'],
  ['3 * 4 = 12, snake_case and **cut o', '3 * 4 = 12, snake_case and cut o'],
  ['', ''],
])('sets %j in one line', (markdown, line) => {
  expect(markdownPreview(markdown)).toBe(line);
});
