import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { inRoot } from '../../scripts/stack/root.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pressroom-roll-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Two containers run, one has stopped, and two start. */
const docker = `#!/bin/sh
echo "$*" >> calls
case "$*" in
  'compose ps --quiet api') echo old1; echo old2 ;;
  'compose ps '*' --status exited api') echo stopped1 ;;
  'compose ps --services') test ! -e services || cat services ;;
  'compose ps --quiet worker-text') echo old3 ;;
  'compose ps --all --quiet worker-text') echo old3; echo new1 ;;
  'compose up '*) test ! -e up-fails ;;
  'compose ps --all --quiet api') echo old1; echo new1; echo old2; echo new2 ;;
  'inspect '*old*) echo 'unhealthy 0' ;;
  'inspect '*new1) echo 'healthy 0' ;;
  'inspect '*new2) cat status; echo 'healthy 0' > status ;;
  'logs '*) echo 'AUTH_SECRET must be random' ;;
esac
`;

/** Runs ops/roll.sh with a program in place of Docker. @returns what it did with containers */
async function roll(firstStatus: string, services = ['api']) {
  writeFileSync(join(folder, 'docker'), docker);
  chmodSync(join(folder, 'docker'), 0o755);
  writeFileSync(join(folder, 'status'), `${firstStatus}\n`);
  const PATH = [folder, process.env.PATH].join(delimiter);
  const { exitCode, stderr } = await execa('sh', [inRoot('ops/roll.sh'), ...services], {
    cwd: folder,
    env: { PATH },
    reject: false,
  });
  const calls = readFileSync(join(folder, 'calls'), 'utf8').split('\n');
  return { exitCode, stderr, changes: calls.filter((call) => /^(stop|rm|compose up) /.test(call)) };
}

const STOPPED = 'rm stopped1';
const UP = 'compose up --detach --no-deps --no-recreate --scale api=4 api';

it('replaces old containers, also unhealthy ones, once the new ones are healthy', async () => {
  expect(await roll('starting 0')).toMatchObject({
    exitCode: 0,
    changes: [STOPPED, UP, 'stop old1', 'rm old1', 'stop old2', 'rm old2'],
  });
});

it.each(['unhealthy 0', 'starting 1'])('keeps the old containers if a new one is %s', async (status) => {
  expect(await roll(status)).toMatchObject({
    exitCode: 1,
    changes: [STOPPED, UP, 'stop new1 new2', 'rm new1 new2'],
    stderr: expect.stringMatching(/new2 does not become healthy[^]*AUTH_SECRET must be random/),
  });
});

it('keeps the old containers if not all new ones start', async () => {
  writeFileSync(join(folder, 'up-fails'), '');
  expect(await roll('healthy 0')).toMatchObject({
    exitCode: 1,
    changes: [STOPPED, UP, 'stop new1 new2', 'rm new1 new2'],
  });
});

it('without names replaces the workers that run, then the api', async () => {
  writeFileSync(join(folder, 'services'), 'api\npostgres\nproxy\nworker-text\n');
  expect(await roll('healthy 0', [])).toMatchObject({
    exitCode: 0,
    changes: [
      ...[
        'compose up --detach --no-deps --no-recreate --scale worker-text=2 worker-text',
        'stop old3',
        'rm old3',
      ],
      ...[STOPPED, UP, 'stop old1', 'rm old1', 'stop old2', 'rm old2'],
    ],
  });
});

it('without names fails where neither workers nor an api run', async () => {
  expect(await roll('healthy 0', [])).toMatchObject({
    exitCode: 1,
    changes: [],
    stderr: 'No worker and no api runs.',
  });
});
