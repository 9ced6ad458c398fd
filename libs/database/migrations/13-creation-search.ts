import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';
import { MigrationRefused } from './running-programs.js';

const EXTENSIONS = ['pg_trgm', 'btree_gin'];

/**
 * Adds the lower-case search text of creations, which a trigger maintains, and a trigram index. Takes about two minutes
 * per gigabyte of text. Programs of the previous version may keep running.
 */
export class CreationSearch1700000000013 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL statement_timeout = 0`);
    for (const extension of EXTENSIONS) await createExtension(runner, extension);
    await runner.query(`ALTER TABLE creations ADD COLUMN search_text text NOT NULL DEFAULT ''`);
    // Like functions/set-creation-search-text.sql.ts, but without the creation's name, which migration 34 adds.
    await runner.query(`
      CREATE FUNCTION set_creation_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.search_text := lower(concat_ws(' ', NEW.prompt, CASE WHEN NEW.type <> 'image' THEN NEW.content END));
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER creations_search_text BEFORE INSERT OR UPDATE OF type, prompt, content ON creations
      FOR EACH ROW EXECUTE FUNCTION set_creation_search_text()`);
    await runner.query(`UPDATE creations SET content = content`);
    // fastupdate = off, so that a search never has to scan a list of pending index entries.
    await runner.query(`
      CREATE INDEX creations_search ON creations USING gin (user_id, search_text gin_trgm_ops)
      WITH (fastupdate = off) WHERE deleted_at IS NULL`);
  }
}

/** @throws MigrationRefused if the server lacks the extension or the user may not create it */
async function createExtension(runner: QueryRunner, name: string): Promise<void> {
  await runner.query('SAVEPOINT before_extension');
  try {
    await runner.query(`CREATE EXTENSION IF NOT EXISTS ${name}`);
  } catch (error) {
    await runner.query('ROLLBACK TO SAVEPOINT before_extension');
    throw new MigrationRefused(
      `The database has no extension "${name}" and it could not be created: ${(error as Error).message}. It is part of PostgreSQL's contrib modules; install or allow it, or let an administrator run CREATE EXTENSION ${name}.`,
    );
  }
}
