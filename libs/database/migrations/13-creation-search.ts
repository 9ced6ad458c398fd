import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';
import { MigrationRefused } from './running-programs.js';

const EXTENSIONS = ['pg_trgm', 'btree_gin'];

/**
 * Gives each creation its searched text in lower case, kept by a trigger, and an index of its trigrams. Takes about two
 * minutes for each gigabyte of text; programs of the version before may keep running.
 */
export class CreationSearch1700000000013 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL statement_timeout = 0`);
    for (const extension of EXTENSIONS) await createExtension(runner, extension);
    await runner.query(`ALTER TABLE creations ADD COLUMN search_text text NOT NULL DEFAULT ''`);
    // As functions/set-creation-search-text.sql.ts, without the name, which creations get in migration 34.
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
    // Without fastupdate a search never reads a list of entries that are still to be sorted in.
    await runner.query(`
      CREATE INDEX creations_search ON creations USING gin (user_id, search_text gin_trgm_ops)
      WITH (fastupdate = off) WHERE deleted_at IS NULL`);
  }
}

/** @throws MigrationRefused where the server does not have it, or does not let this user create it */
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
