import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { readUserTables, secretColumns } from './user-data.js';

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
    expect.arrayContaining(listed.filter((name) => !name.endsWith('rotationReplayResponse'))),
  );
  expect(known.filter((name) => !listed.includes(name))).toEqual([]);
});
