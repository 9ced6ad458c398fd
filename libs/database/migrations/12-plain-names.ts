import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';
import { requireNoRunningProgram } from './running-programs.js';

type Rename = [from: string, to: string];

const TABLES: Rename[] = [
  ['people', 'users'],
  ['first_answers', 'answer_cache'],
];
/** Columns to rename in every table that has them: old name, new name. */
const COLUMNS: Rename[] = [
  ['person_id', 'user_id'],
  ['losses', 'lost_attempts'],
  ['turn', 'virtual_start'],
  ['told_usage', 'reported_usage'],
];
/** Parts of constraint and index names to rename: old part, new part. */
const NAME_PARTS: Rename[] = [
  ['people', 'users'],
  ['person', 'user'],
  ['first_answers', 'answer_cache'],
  ['losses', 'lost_attempts'],
  ['jobs_turns', 'jobs_queue_order'],
  ['jobs_turn_', 'jobs_virtual_start_'],
  ['told_usage', 'reported_usage'],
];
const CURRENT_TIMESTAMPS = [
  ['auth_users', 'createdAt'],
  ['auth_users', 'updatedAt'],
  ['auth_sessions', 'createdAt'],
  ['auth_accounts', 'createdAt'],
  ['auth_verifications', 'createdAt'],
  ['auth_verifications', 'updatedAt'],
];

/**
 * Renames tables and columns, for example `people` to `users`, and adds a primary key to the table of the socket.io
 * adapter. The previous version uses the old names, so the migration refuses to run while such a program is connected.
 */
export class PlainNames1700000000012 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await requireNoRunningProgram(runner);
    for (const [from, to] of TABLES) await runner.query(`ALTER TABLE ${from} RENAME TO ${to}`);
    for (const [from, to] of COLUMNS) await renameColumn(runner, from, to);
    for (const [from, to] of NAME_PARTS) await renameConstraintsAndIndexes(runner, from, to);
    await runner.query(`
      ALTER TABLE socket_io_attachments
        DROP CONSTRAINT socket_io_attachments_id_key,
        ADD CONSTRAINT socket_io_attachments_pkey PRIMARY KEY (id)`);
    // now() and CURRENT_TIMESTAMP are equal, but the schema comparison needs the expression that the entities have.
    for (const [table, column] of CURRENT_TIMESTAMPS)
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN "${column}" SET DEFAULT now()`);
  }
}

async function renameColumn(runner: QueryRunner, from: string, to: string): Promise<void> {
  await runner.query(`
    DO $$
    DECLARE found record;
    BEGIN
      FOR found IN
        SELECT table_name AS "table" FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = '${from}'
      LOOP
        EXECUTE format('ALTER TABLE %I RENAME COLUMN ${from} TO ${to}', found."table");
      END LOOP;
    END $$`);
}

/** Renames constraints, which renames their indexes too, then the remaining indexes. */
async function renameConstraintsAndIndexes(runner: QueryRunner, from: string, to: string): Promise<void> {
  await runner.query(`
    DO $$
    DECLARE found record;
    BEGIN
      FOR found IN
        SELECT conname AS name, conrelid::regclass AS "table" FROM pg_constraint
        WHERE connamespace = current_schema()::regnamespace AND conrelid <> 0 AND strpos(conname, '${from}') > 0
      LOOP
        EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I',
          found."table", found.name, replace(found.name, '${from}', '${to}'));
      END LOOP;
      FOR found IN
        SELECT indexname AS name FROM pg_indexes
        WHERE schemaname = current_schema() AND strpos(indexname, '${from}') > 0
      LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', found.name, replace(found.name, '${from}', '${to}'));
      END LOOP;
    END $$`);
}
