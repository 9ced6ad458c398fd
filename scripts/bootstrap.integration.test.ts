import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inRoot } from './stack/root.ts';

/** A project whose one dependency is a pinned Node.js that passes its arguments on to this one. */
const project = mkdtempSync(join(tmpdir(), 'pressroom-bootstrap-'));
const write = (file: string, content: object | string) =>
  writeFileSync(join(project, file), typeof content === 'string' ? content : JSON.stringify(content));

function lock(version: string) {
  const pinned = { name: 'node', version, bin: { node: 'node.sh' } };
  write('pinned/package.json', pinned);
  write('package-lock.json', {
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { node: 'file:pinned' } },
      'node_modules/node': { resolved: 'pinned', link: true },
      pinned,
    },
  });
}

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: project, encoding: 'utf8' });
const start = () => run(process.execPath, 'scripts/start.mjs', 'with', 'arguments');

beforeAll(() => {
  for (const folder of ['pinned', 'scripts']) mkdirSync(join(project, folder));
  copyFileSync(inRoot('scripts/bootstrap.mjs'), join(project, 'scripts/bootstrap.mjs'));
  write('package.json', { dependencies: { node: 'file:pinned' } });
  write('pinned/node.sh', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  chmodSync(join(project, 'pinned/node.sh'), 0o755);
  write(
    'scripts/start.mjs',
    `import { runOnPinnedNode } from './bootstrap.mjs';\nawait runOnPinnedNode('second.mjs');`,
  );
  write('second.mjs', `console.log(process.argv.slice(2).join(' '));`);
  lock('1.0.0');
});
afterAll(() => rmSync(project, { recursive: true }));

it('installs what is missing, once, and runs the second half with its arguments', () => {
  expect(start()).toMatch(/^Installing the packages [^]*\nwith arguments\n$/);
  expect(start()).toBe('with arguments\n');
});

it('installs nothing after npm ci', () => {
  rmSync(join(project, 'node_modules'), { recursive: true });
  run('npm', 'ci', '--no-audit', '--no-fund');
  expect(start()).toBe('with arguments\n');
});

it('installs again when package-lock.json names another version', () => {
  lock('1.0.1');
  expect(start()).toMatch(/^Installing/);
  expect(start()).toBe('with arguments\n');
});
