import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { testDatabase } from '../../../test/support/database.ts';
import { createDataSource } from '../data-source.js';
import { applyFunctions, functions, outdatedFunctions } from './functions.js';

let database: Awaited<ReturnType<typeof testDatabase>>;
let dataSource: DataSource;

beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
});
afterAll(async () => {
  await dataSource?.destroy();
  await database.drop();
});

/** PostgreSQL's definitions of all functions, except those of extensions. */
const definitions = async (): Promise<string[]> =>
  (
    await dataSource.query<{ definition: string }[]>(`
      SELECT pg_get_functiondef(pg_proc.oid) AS definition FROM pg_proc
      WHERE pronamespace = current_schema()::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
      ORDER BY proname`)
  ).map(({ definition }) => definition);

it('are in a migrated database exactly as in their files', async () => {
  const migrated = await definitions();
  expect(migrated).toHaveLength(functions.length);
  expect(await outdatedFunctions(dataSource)).toEqual([]);
  for (const definition of functions) await dataSource.query(definition);
  expect(await definitions()).toEqual(migrated);
});

it('are replaced if they differ, and added if missing', async () => {
  const current = await definitions();
  await dataSource.query(functions[0]!.replace('BEGIN', 'BEGIN NULL;'));
  await dataSource.query('DROP FUNCTION claim_job');
  expect(await outdatedFunctions(dataSource)).toEqual(['storage_use', 'claim_job']);
  await applyFunctions(dataSource);
  expect(await outdatedFunctions(dataSource)).toEqual([]);
  expect(await definitions()).toEqual(current);
});
