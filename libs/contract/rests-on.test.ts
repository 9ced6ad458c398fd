import { expect, it } from '@jest/globals';
import { RESTS_ON_HEADING, withoutSources } from './rests-on.js';

it('leaves the sources of a text out, also where an editor wrote their marks anew', () => {
  const text = `# Tailored bullets

## Freightline Systems

- Moved all services
  - *Resume, page 1:* “Moved all services”
  * _Job description:_ “Kubernetes”
- My own line
  - with a detail

## ${RESTS_ON_HEADING}

Read it.
`;
  expect(withoutSources(text)).toBe(
    '## Freightline Systems\n\n- Moved all services\n- My own line\n  - with a detail\n',
  );
});

it('leaves any other text as it is', () => {
  const text = '# An article\n\n- a\n  - *Resume, page 1:* b\n';
  expect(withoutSources(text)).toBe(text);
});
