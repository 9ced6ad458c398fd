import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { symmetricEncrypt } from 'better-auth/crypto';
import { endSessionsOfOtherSecret } from '#libs/accounts/local/secret-fingerprints.js';
import { encryptionKey } from '#libs/accounts/local/secrets.js';
import { ApiKeys } from '#libs/api-keys/api-keys.js';
import type { ApiKey } from '#libs/contract/api-keys.js';
import { newApiKeySchema } from '#libs/contract/api-keys.js';
import { createDataSource } from '#libs/database/data-source.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

let database: TestDatabase;
let dataSource: DataSource;
let keys: ApiKeys;
beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
  await dataSource.query(`INSERT INTO users (id, name, email) VALUES ('ada', 'Ada', 'ada@example.com')`);
  keys = new ApiKeys(dataSource, (error) => {
    throw error;
  });
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const run = (...words: string[]) => runCommand(words, { DATABASE_URL: database.url });

it('lists the keys of a user, and revokes one', async () => {
  const settings = newApiKeySchema.parse({ name: 'Nightly run', scopes: ['images', 'read'] });
  const { key, secret } = await keys.create('ada', settings);
  const listed = await run('keys', 'list', 'ada@example.com');
  expect(listed.out).toMatch(new RegExp(`^${key.id} +Nightly run +images,read +0 +0 +- +-$`, 'm'));
  expect(listed.out).not.toContain(secret);
  const [found] = JSON.parse((await run('keys', 'list', 'ada', '--json')).out) as ApiKey[];
  expect(found).toMatchObject({ id: key.id, usage: { jobs: 0, credits: 0 } });

  expect((await run('keys', 'revoke', 'ada', key.id)).out).toBe(`Revoked ${key.id}.\n`);
  await expect(keys.verify(secret)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  const again = await run('keys', 'revoke', 'ada', key.id);
  expect([again.status, again.errors]).toEqual([1, expect.stringContaining('There is no such API key.')]);
});

it('revokes the keys of all users, once that is confirmed, and records it', async () => {
  const settings = newApiKeySchema.parse({ name: 'Nightly run', scopes: ['images', 'read'] });
  const { secret } = await keys.create('ada', settings);
  for (const words of [['--all'], ['ada'], ['ada', 'some', '--all', '--yes'], []])
    expect((await run('keys', 'revoke', ...words)).status).toBe(1);
  expect(await keys.verify(secret)).toMatchObject({ userId: 'ada' });
  expect((await run('--as', 'anna', 'keys', 'revoke', '--all', '--yes')).out).toBe('Revoked 1 keys.\n');
  await expect(keys.verify(secret)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(JSON.parse((await run('audit', '--target', 'all', '--json')).out)).toMatchObject([
    { operator: 'anna', action: 'key.revoke', details: { keys: 1 } },
  ]);
});

it('says how many signing keys and secrets re-encrypt changed', async () => {
  const secret = '7d3f0b9c5a1e8642f0c7b3d95e1a6480';
  const encrypt = (...words: string[]) =>
    runCommand(['re-encrypt', ...words], { DATABASE_URL: database.url, AUTH_SECRET: secret });
  const encrypted = '0 texts are encrypted with AUTH_SECRET now. AUTH_SECRET_PREVIOUS can be removed.\n';
  expect(await encrypt()).toMatchObject({ status: 0, out: encrypted });
  await dataSource.query(
    `INSERT INTO auth_keys ("id", "publicKey", "privateKey", "createdAt")
     SELECT n::text, 'public', $1, now() FROM generate_series(1, 2) AS n`,
    [
      JSON.stringify(
        await symmetricEncrypt({ key: encryptionKey({ current: secret, previous: null }), data: 'private' }),
      ),
    ],
  );
  expect((await encrypt('--new-keys')).out).toBe(`2 signing keys are deleted. ${encrypted}`);
  expect(await dataSource.query(`SELECT FROM auth_keys`)).toEqual([]);
  expect((await runCommand(['re-encrypt'], { DATABASE_URL: database.url })).errors).toContain(
    'Set AUTH_SECRET',
  );
});

it('re-encrypts nothing with a secret that the apis do not have', async () => {
  const [before, present, next] = [
    '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
    'c41f9a07be3d5820967ad1f03b8ce254',
    'e9072d5fb8a14c63d0f2967be5183ca0',
  ];
  const runner = dataSource.createQueryRunner();
  const connection = (await runner.connect()) as pg.PoolClient;
  await endSessionsOfOtherSecret(connection, { current: before, previous: null }, false);
  await endSessionsOfOtherSecret(connection, { current: present, previous: before }, false);
  await runner.release();
  const encrypt = (current: string, previous: string, ...words: string[]) =>
    runCommand(['re-encrypt', ...words], {
      DATABASE_URL: database.url,
      AUTH_SECRET: current,
      AUTH_SECRET_PREVIOUS: previous,
    });
  for (const [current, previous] of [
    [before, ''],
    [before, present],
    [next, present],
  ] as const)
    expect(await encrypt(current, previous, '--new-keys')).toMatchObject({
      status: 1,
      out: '',
      errors: expect.stringContaining('The apis have another AUTH_SECRET.'),
    });
  expect((await encrypt(present, before)).status).toBe(0);
  await dataSource.query('DELETE FROM auth_secret_fingerprints');
});
