import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { variables } from '#libs/config/variables.js';
import { inRoot } from '../../scripts/stack/root.ts';

const page = readFileSync(inRoot('docs/operations.md'), 'utf8');
const compose = parse(readFileSync(inRoot('docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, unknown>;
};

describe('docs/configuration.md', () => {
  it('documents every variable that the programs read', () => {
    const documented = readFileSync(inRoot('docs/configuration.md'), 'utf8');
    expect(Object.keys(variables.shape).filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('docs/operations.md', () => {
  it('says what to do first on each alert, and lists no unknown alert', () => {
    const { groups } = parse(readFileSync(inRoot('ops/alerts.yml'), 'utf8')) as {
      groups: { rules: { alert: string }[] }[];
    };
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    const section = page.split('\n## Alerts\n')[1]!.split('\n## ')[0]!;
    const documented = [...section.matchAll(/^\| `(\w+)` +\| \S/gm)].map(([, alert]) => alert);
    // It always fires.
    expect([...documented, 'Watchdog'].sort()).toEqual(alerts.sort());
  });

  it('migrates a restored database before it imports files, which the audit log records', () => {
    const restore = page.split('\nRestore onto empty volumes')[1]!.split('\n## ')[0]!;
    const commands = restore.split('\n').filter((line) => line.startsWith('docker compose '));
    const lineOf = (words: RegExp) => commands.findIndex((line) => words.test(line));
    const order = [lineOf(/ psql /), lineOf(/ --no-deps migrate(?: +#|$)/), lineOf(/ files import /)];
    expect(order).toEqual([1, 2, 3]);
  });

  it('names existing files and services of compose', () => {
    const files = [...page.matchAll(/\b((?:ops|docs)\/[\w./-]*\w)/g)].map(([, path]) => path!);
    expect(files.filter((path) => !existsSync(inRoot(path)))).toEqual([]);
    const scaled = [...page.matchAll(/--scale ([\w-]+)=/g)].map(([, service]) => service!);
    expect(scaled.filter((service) => !(service in compose.services))).toEqual([]);
  });
});
