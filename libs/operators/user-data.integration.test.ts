import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { countUserRows, readUserRows, readUserTables, secretColumns } from './user-data.js';

let platform: JobPlatform;
beforeAll(async () => {
  platform = await openJobPlatform();
});
afterAll(() => platform.close());

/** Names that look like those of secrets, and are none. */
const HARMLESS =
  /^(answer_cache|objects)\.key$|\.(\w+_tokens|content_hash|request_hash|idempotency_key|(file|picture|thumbnail)_key|api_key_id|(access|refresh)TokenExpiresAt|tokenEndpointAuthMethod|dpopBoundAccessTokens|clientCredentialsScopes)$/;

it('knows each column that is secret', async () => {
  const tables = (await readUserTables(platform.dataSource)).map(({ table }) => table);
  const columns: { name: string }[] = await platform.dataSource.query(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = ANY ($1) AND column_name ~* 'secret|password|hash|token|codes|key|credential'
     ORDER BY 1`,
    [tables],
  );
  const listed = Object.entries(secretColumns).flatMap(([table, names]) =>
    names.map((name) => `${table}.${name}`),
  );
  const known = columns.map(({ name }) => name).filter((name) => !HARMLESS.test(name));
  expect(known).toEqual(
    expect.arrayContaining(
      listed.filter((name) => !/rotationReplayResponse$|^auth_verifications/.test(name)),
    ),
  );
  expect(known.filter((name) => !listed.includes(name))).toEqual([]);
});

it('knows links and trusted browsers, which have no key, without their tokens', async () => {
  const userId = await platform.user();
  await platform.sql(
    `INSERT INTO auth_verifications ("id", "identifier", "value", "expiresAt")
     VALUES ('link', 'reset-password:a-token', $1, now() + interval '1 hour'),
       ('other', 'reset-password:another', 'somebody else', now() + interval '1 hour')`,
    [userId],
  );
  expect(await countUserRows(platform.dataSource, userId)).toEqual({ users: 1, auth_verifications: 1 });
  const tables = await readUserTables(platform.dataSource);
  const links = tables.find(({ table }) => table === 'auth_verifications')!;
  const rows = await Readable.from(readUserRows(platform.dataSource, links, userId)).toArray();
  expect(rows).toEqual([expect.objectContaining({ id: 'link' })]);
  expect(JSON.stringify(rows)).not.toContain('token');
});

it('reads each row once, also if rows are updated meanwhile', async () => {
  const userId = await platform.user();
  await platform.sql(
    `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
     SELECT gen_random_uuid(), $1, 'generate-article', 'article', 'Harbours', 'Quiet', 'offline'
     FROM generate_series(1, 120)`,
    [userId],
  );
  const ids: unknown[] = [];
  const table = { table: 'creations', condition: 'user_id = $1' };
  for await (const { id } of readUserRows(platform.dataSource, table, userId)) {
    ids.push(id);
    if (ids.length === 1) await platform.sql(`UPDATE creations SET prompt = 'Rivers'`);
  }
  expect([ids.length, new Set(ids).size]).toEqual([120, 120]);
});

it('reads tables with a key of several columns in pages', async () => {
  const userId = await platform.user();
  await platform.sql(
    `INSERT INTO provider_calls (id, job_id, attempt, user_id, plan, tool, model, provider, kind, status, started_at)
     SELECT gen_random_uuid(), gen_random_uuid(), n, $1, 'free', 'generate-article', 'm', 'main', 'chat', 'ok', now()
     FROM generate_series(1, 120) AS n`,
    [userId],
  );
  const counts: Record<string, number> = {};
  for (const table of await readUserTables(platform.dataSource)) {
    const rows = await Readable.from(readUserRows(platform.dataSource, table, userId)).toArray();
    if (rows.length > 0) counts[table.table] = rows.length;
  }
  expect(counts).toEqual({ users: 1, provider_calls: 120 });
});
