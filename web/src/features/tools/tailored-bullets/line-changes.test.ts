import { describe, expect, it } from '@jest/globals';
import { lineChangesOf } from './line-changes';

const bullet = (text: string, source = 'these words') =>
  `- ${text}\n  - *Resume, page 1:* ${source}\n  - *Job description:* “Kafka”`;
const contentOf = (...bullets: string[]) =>
  `# Tailored bullets\n\n## Acme\n\n${bullets.join('\n')}\n\n## What this rests on\n\n${bullet('No bullet', '“x”')}\n`;

describe('the lines of a resume that bullets word otherwise', () => {
  it('are those whose words differ from their first source', () => {
    const content = contentOf(
      bullet('Ran C\\# on 3 \\*nodes\\*', '“ran C\\# on three nodes”\n  - *Resume, page 2:* “of Acme”'),
      bullet('Wrote tests', '“Wrote tests”'),
      bullet('Built tools'),
    );
    expect(lineChangesOf(content, content)).toEqual([
      { source: 'ran C# on three nodes', text: 'Ran C# on 3 *nodes*' },
    ]);
  });

  it('are found for edited lines that had been taken word for word, also if others were removed', () => {
    const original = contentOf(
      bullet('Moved all services to Kubernetes'),
      bullet('Tuned the queries of reports'),
      bullet('Mentored two juniors'),
    );
    const edited = contentOf(
      bullet('Mentored two juniors'),
      bullet('Tuned the slowest queries of all reports')
        .replaceAll('*', '_')
        .replaceAll(/^( *)-/gm, '$1*'),
      bullet('Something else altogether'),
    );
    expect(lineChangesOf(edited, original)).toEqual([
      { source: 'Tuned the queries of reports', text: 'Tuned the slowest queries of all reports' },
    ]);
  });

  it('are none for bullets without a source', () => {
    expect(lineChangesOf('- A new line\n- Another\n', contentOf(bullet('A line')))).toEqual([]);
  });
});
