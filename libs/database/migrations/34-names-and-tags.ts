import { setCreationSearchText } from '../functions/set-creation-search-text.sql.js';
import { setCreationTagsDeleted } from '../functions/set-creation-tags-deleted.sql.js';
import { statements } from './migration.js';

/** Names, favourites and tags of creations, searches that users save, and downloads of several creations. */
export class NamesAndTags1700000000034 extends statements(
  `ALTER TABLE creations ADD COLUMN display_name text`,
  setCreationSearchText,
  `DROP TRIGGER creations_search_text ON creations`,
  `CREATE TRIGGER creations_search_text BEFORE INSERT OR UPDATE OF type, display_name, prompt, content ON creations
  FOR EACH ROW EXECUTE FUNCTION set_creation_search_text()`,
  // It repeats columns of the creation, so that a page and its counts are read from one index.
  `CREATE TABLE creation_tags (
    creation_id uuid NOT NULL REFERENCES creations (id) ON DELETE CASCADE,
    tag text NOT NULL,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    type text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    is_deleted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (creation_id, tag))`,
  `CREATE INDEX creation_tags_user ON creation_tags (user_id, is_deleted, tag, created_at, creation_id, type)`,
  setCreationTagsDeleted,
  `CREATE TRIGGER creations_tags_deleted AFTER UPDATE OF deleted_at ON creations
  FOR EACH ROW WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at) EXECUTE FUNCTION set_creation_tags_deleted()`,
  `CREATE TABLE saved_searches (
    id uuid PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL,
    filter jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now())`,
  `CREATE INDEX saved_searches_user ON saved_searches (user_id)`,
  `CREATE TABLE creation_zips (
    key text PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    creation_ids uuid[] NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now())`,
  `CREATE INDEX creation_zips_user ON creation_zips (user_id)`,
) {}
