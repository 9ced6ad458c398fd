import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Renames `people` to `users` and every `person_id` to `user_id`, with their constraints and indexes.
 * A program of the version before reads the old names: stop it before this runs.
 */
export class PlainNames1700000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await rename(runner, { table: ['people', 'users'], column: ['person_id', 'user_id'] });
    await renameObjects(runner, [
      ['people', 'users'],
      ['person', 'user'],
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await rename(runner, { table: ['users', 'people'], column: ['user_id', 'person_id'] });
    await runner.query(`ALTER TABLE clerk_removals RENAME COLUMN person_id TO user_id`);
  }
}

interface Names {
  table: [from: string, to: string];
  column: [from: string, to: string];
}

async function rename(runner: QueryRunner, { table, column }: Names): Promise<void> {
  await runner.query(`ALTER TABLE ${table[0]} RENAME TO ${table[1]}`);
  const columns = (await runner.query(
    `SELECT table_name AS "table" FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = $1`,
    [column[0]],
  )) as { table: string }[];
  for (const { table: name } of columns)
    await runner.query(`ALTER TABLE ${name} RENAME COLUMN ${column[0]} TO ${column[1]}`);
}

/** Renames constraints, then the indexes that belong to none. */
async function renameObjects(runner: QueryRunner, words: [from: string, to: string][]): Promise<void> {
  const changed = words.reduce((sql, [from, to]) => `replace(${sql}, '${from}', '${to}')`, 'name');
  await runner.query(`
    DO $$
    DECLARE found record;
    BEGIN
      FOR found IN
        SELECT conname AS name, conrelid::regclass AS "table" FROM pg_constraint
        WHERE connamespace = current_schema()::regnamespace AND conname ~ '${words.map(([from]) => from).join('|')}'
          AND conrelid <> 0
      LOOP
        EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', found."table", found.name,
          ${changed.replace('name', 'found.name')});
      END LOOP;
      FOR found IN
        SELECT indexname AS name FROM pg_indexes
        WHERE schemaname = current_schema() AND indexname ~ '${words.map(([from]) => from).join('|')}'
      LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', found.name, ${changed.replace('name', 'found.name')});
      END LOOP;
    END $$`);
}
