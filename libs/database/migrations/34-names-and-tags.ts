import type { MigrationInterface, QueryRunner } from 'typeorm';

const SEARCH_TEXT = (fields: string) => `
  CREATE OR REPLACE FUNCTION set_creation_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.search_text := lower(concat_ws(' ', ${fields}, CASE WHEN NEW.type <> 'image' THEN NEW.content END));
    RETURN NEW;
  END $$`;
const SEARCH_TRIGGER = (columns: string) => `
  CREATE TRIGGER creations_search_text BEFORE INSERT OR UPDATE OF ${columns} ON creations
  FOR EACH ROW EXECUTE FUNCTION set_creation_search_text()`;

/** Names, favourites and tags of creations, searches that users save, and downloads of several creations. */
export class NamesAndTags1700000000034 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE creations ADD COLUMN display_name text`);
    await runner.query(SEARCH_TEXT('NEW.display_name, NEW.prompt'));
    await runner.query(`DROP TRIGGER creations_search_text ON creations`);
    await runner.query(SEARCH_TRIGGER('type, display_name, prompt, content'));
    // It repeats columns of the creation, so that a page and its counts are read from one index.
    await runner.query(`
      CREATE TABLE creation_tags (
        creation_id uuid NOT NULL REFERENCES creations (id) ON DELETE CASCADE,
        tag text NOT NULL,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        type text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        is_deleted boolean NOT NULL DEFAULT false,
        PRIMARY KEY (creation_id, tag))`);
    await runner.query(`
      CREATE INDEX creation_tags_user ON creation_tags (user_id, is_deleted, tag, created_at, creation_id, type)`);
    await runner.query(`
      CREATE FUNCTION set_creation_tags_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE creation_tags SET is_deleted = NEW.deleted_at IS NOT NULL WHERE creation_id = NEW.id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER creations_tags_deleted AFTER UPDATE OF deleted_at ON creations
      FOR EACH ROW WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at) EXECUTE FUNCTION set_creation_tags_deleted()`);
    await runner.query(`
      CREATE TABLE saved_searches (
        id uuid PRIMARY KEY,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        name text NOT NULL,
        filter jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now())`);
    await runner.query(`CREATE INDEX saved_searches_user ON saved_searches (user_id)`);
    await runner.query(`
      CREATE TABLE creation_zips (
        key text PRIMARY KEY,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        creation_ids uuid[] NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now())`);
    await runner.query(`CREATE INDEX creation_zips_user ON creation_zips (user_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE creation_zips`);
    await runner.query(`DROP TABLE saved_searches`);
    await runner.query(`DROP TRIGGER creations_tags_deleted ON creations`);
    await runner.query(`DROP FUNCTION set_creation_tags_deleted`);
    await runner.query(`DROP TABLE creation_tags`);
    await runner.query(SEARCH_TEXT('NEW.prompt'));
    await runner.query(`DROP TRIGGER creations_search_text ON creations`);
    await runner.query(SEARCH_TRIGGER('type, prompt, content'));
    await runner.query(`UPDATE creations SET content = content WHERE display_name IS NOT NULL`);
    await runner.query(`ALTER TABLE creations DROP COLUMN display_name`);
  }
}
