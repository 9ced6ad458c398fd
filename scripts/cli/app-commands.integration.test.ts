import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { OAuthClient } from '#libs/api-keys/oauth-clients.js';
import { applyRetention } from '#libs/creations/retention.js';
import { createDataSource } from '#libs/database/data-source.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { systemUser } from './program.ts';

allowTimeForPrograms();

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const run = (...words: string[]) => runCommand(words, { DATABASE_URL: database.url });

it('adds, lists and removes apps, which retention keeps', async () => {
  const added = await run(
    'apps',
    'add',
    'Desk',
    '--redirect',
    'https://desk.example/cb',
    'http://127.0.0.1/cb',
    '--json',
  );
  const { clientId } = JSON.parse(added.out) as OAuthClient;
  const itself = `INSERT INTO auth_oauth_clients (id, "clientId", name, "redirectUris", "createdAt")
    VALUES ('x', 'x', 'Unused', '["https://x.example"]', now() - interval '2 days')`;
  await dataSource.query(itself);
  await dataSource.query(`UPDATE auth_oauth_clients SET "createdAt" = now() - interval '2 days'`);
  expect((await run('apps', 'list')).out).toMatch(/x +Unused +itself +https:\/\/x.example/);
  const files = { sweep: async () => undefined } as unknown as Parameters<typeof applyRetention>[1];
  await applyRetention(dataSource, files, { retentionDays: 90 });
  const { out } = await run('apps', 'list');
  expect(out).toMatch(
    new RegExp(`^${clientId} +Desk +operator +https://desk.example/cb http://127.0.0.1/cb$`, 'm'),
  );
  expect(out).not.toContain('Unused');
  expect((await run('apps', 'remove', clientId)).out).toBe(`Removed ${clientId}.\n`);
  expect(await run('apps', 'remove', clientId)).toMatchObject({
    status: 1,
    errors: expect.stringMatching(/no app/),
  });
});

it.each([
  ['--as before OPERATOR', ['--as', 'anna'], 'berta', 'anna'],
  ['OPERATOR before the system', [], 'berta', 'berta'],
  ['the system, if compose passes an empty one on', [], '', systemUser()],
])('stores who runs a command, for the audit log: %s', async (_, first, OPERATOR, name) => {
  const environment = { DATABASE_URL: database.url, OPERATOR };
  const added = await runCommand(
    [...first, 'apps', 'add', 'Lamp', '--redirect', 'https://lamp.example/cb', '--json'],
    environment,
  );
  const { clientId } = JSON.parse(added.out) as OAuthClient;
  const { out } = await run('audit', '--target', clientId, '--json');
  expect(JSON.parse(out)).toEqual([expect.objectContaining({ operator: name, action: 'app.add' })]);
});

it.each(['', ' ', 'anna\n2026-11-29 berta', '\u001b[2Janna', 'a'.repeat(101)])(
  'refuses the name %j of who runs a command',
  async (name) => {
    const { status, errors } = await run('--as', name, 'apps', 'list');
    expect([status, errors]).toEqual([2, expect.stringMatching(/--as [^]*It must be a name of 1 to 100/)]);
  },
);

it('shows names of users in one line, without control characters', async () => {
  await dataSource.query(`INSERT INTO users (id, name) VALUES ('eve', E'Eve\\n\\u001b[2Jada  admin')`);
  const { out } = await run('users', 'list');
  expect(out).toContain('  Eve\\u000a\\u001b[2Jada  admin  ');
});

it.each([
  ['http://desk.example/cb', /cannot be a redirect address/],
  ['javascript:alert(1)', /cannot be a redirect address/],
  ['https://desk.example/cb#x', /cannot be a redirect address/],
  ['desk', /cannot be a redirect address/],
])('refuses the redirect address %s', async (address, message) => {
  const { status, errors } = await run('apps', 'add', 'Desk', '--redirect', address);
  expect([status, errors]).toEqual([1, expect.stringMatching(message)]);
});
