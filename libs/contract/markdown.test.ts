import { expect, it } from '@jest/globals';
import {
  markdownPreview,
  markdownSummary,
  markdownTitle,
  SOURCES_HEADING,
  withoutSources,
} from './markdown.js';

it.each([
  [
    'The passage of **a.pdf** that fits:\n\n> “468 ships.” [p. 2]',
    'The passage of a.pdf that fits: “468 ships.” [p. 2]',
  ],
  ['## Harbours\n\n- *Vik*\n- `Oslo`\n1. [Bergen](https://x.test)', 'Harbours Vik Oslo Bergen'],
  ['3 * 4 = 12, snake_case and **cut o', '3 * 4 = 12, snake_case and cut o'],
  ['', ''],
])('puts %j in one line', (markdown, line) => {
  expect(markdownPreview(markdown)).toBe(line);
});

it.each([
  ['# One *two*\n\nThree', 'One two', 'Three'],
  ['Intro\n\n## Later', 'Later', 'Intro Later'],
  ['No **heading**\nat all', 'No heading at all', 'No heading at all'],
  ['#hashtag', '#hashtag', '#hashtag'],
  ['', '', ''],
])('has a title and a summary: %j', (markdown, title, summary) => {
  expect([markdownTitle(markdown), markdownSummary(markdown)]).toEqual([title, summary]);
});

it('omits the sources of a text, even with other Markdown marks', () => {
  const text = `# Tailored bullets

## Freightline Systems

- Moved all services
  - *Resume, page 1:* “Moved all services”
  * _Job description:_ “Kubernetes”
- My own line
  - with a detail

## ${SOURCES_HEADING}

Read it.
`;
  expect(withoutSources(text)).toBe(
    '## Freightline Systems\n\n- Moved all services\n- My own line\n  - with a detail\n',
  );
});

it('does not change other texts', () => {
  const text = '# An article\n\n- a\n  - *Resume, page 1:* b\n';
  expect(withoutSources(text)).toBe(text);
});
