import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { query } from '../../../scripts/stack/query.ts';
import { testDatabase, type TestDatabase } from '../../../test/support/database.js';
import { findSchemaDifferences } from '../../../test/support/find-schema-differences.ts';
import { createDataSource } from '../data-source.js';

let migrated: TestDatabase;
let dataSource: DataSource;
let made: DataSource;
const name = `test_${randomUUID().replaceAll('-', '')}`;

beforeAll(async () => {
  migrated = await testDatabase();
  dataSource = await createDataSource({ url: migrated.url }).initialize();
  await query(migrated.url, `CREATE DATABASE ${name}`);
  const url = new URL(migrated.url);
  url.pathname = name;
  made = await createDataSource({ url: url.href }).initialize();
  await made.synchronize();
});
afterAll(async () => {
  await dataSource.destroy();
  await made.destroy();
  await query(migrated.url, `DROP DATABASE ${name}`);
  await migrated.drop();
});

it('finds no difference between the migrated schema and the entities', async () => {
  expect(await findSchemaDifferences(dataSource)).toEqual([]);
});

it('has an entity for each of our tables', async () => {
  const tables = await read(
    dataSource,
    `SELECT relname AS line FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const mapped = dataSource.entityMetadatas.map(({ tableName }) => tableName);
  expect(tables.filter((table) => table !== 'migrations').sort()).toEqual(mapped.sort());
});

// Compare the definitions, since TypeORM's schema builder compares only names of checks and indexes.
it.each([
  [
    'constraints',
    `SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conrelid <> 'migrations'::regclass
       AND conrelid NOT IN (SELECT oid FROM pg_class WHERE relispartition)`,
  ],
  [
    'indexes',
    `SELECT replace(indexdef, ' ON ONLY ', ' ON ') AS line FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations'
       AND indexname NOT IN ('users_email', 'audit_log_user', 'jobs_newest', 'jobs_finished', 'jobs_queue_order', 'jobs_age', 'creations_newest',
         'creations_published', 'creations_search')
       AND tablename NOT IN (SELECT relname FROM pg_class WHERE relispartition)`,
  ],
])('creates the same %s from the entities as the migrations', async (_, statement) => {
  // TypeORM creates the table `migrations` only if there are migrations, so create it here to make both schemas
  // comparable.
  await made.query('CREATE TABLE IF NOT EXISTS migrations ()');
  expect(await read(made, statement)).toEqual(await read(dataSource, statement));
});

async function read(database: DataSource, statement: string): Promise<string[]> {
  const found: { line: string }[] = await database.query(statement);
  return found.map(({ line }) => line).sort();
}
