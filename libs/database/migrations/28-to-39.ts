import type { QueryRunner } from 'typeorm';
import { chargeCredits } from '../functions/charge-credits.sql.js';
import { claimJob } from '../functions/claim-job.sql.js';
import { othersWait } from '../functions/others-wait.sql.js';
import { setCreationSearchText } from '../functions/set-creation-search-text.sql.js';
import { setCreationTagsDeleted } from '../functions/set-creation-tags-deleted.sql.js';
import { storageUse } from '../functions/storage-use.sql.js';
import { submitJobs } from '../functions/submit-jobs.sql.js';
import { Migration, createConcurrently, statements } from './migration.js';

/** Hash of the request that saved a version, to detect a reused Idempotency-Key. */
export class VersionRequests1700000000028 extends statements(
  `ALTER TABLE creation_versions ADD COLUMN request_hash text`,
) {}

/** Editing of texts: revisions of creations, and names and editing sessions of versions. */
export class TextVersions1700000000029 extends statements(
  // Not named "revision": older programs join creations with jobs, whose column of that name would become ambiguous.
  `ALTER TABLE creations ADD COLUMN content_revision integer NOT NULL DEFAULT 1`,
  `ALTER TABLE creation_versions
  ADD COLUMN is_named boolean NOT NULL DEFAULT false,
  ADD COLUMN session uuid`,
) {}

export class SubmitJobs1700000000030 extends statements(storageUse, chargeCredits, submitJobs) {}

export class ClaimJob1700000000031 extends statements(othersWait, claimJob) {}

/** Index that counts a user's creations by type for the dashboard without reading the table. */
export class CreationTypes1700000000032 extends Migration {
  transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return createConcurrently(runner, {
      creations_types: 'creations (user_id, type) WHERE deleted_at IS NULL',
    });
  }
}

/** Links that share texts. */
export class CreationShares1700000000033 extends statements(
  `CREATE TABLE creation_shares (
    token text PRIMARY KEY,
    creation_id uuid NOT NULL UNIQUE REFERENCES creations (id) ON DELETE CASCADE,
    content text,
    created_at timestamptz(3) NOT NULL DEFAULT now())`,
) {}

/** Names, favourites and tags of creations, saved searches, and ZIP downloads. */
export class NamesAndTags1700000000034 extends statements(
  `ALTER TABLE creations ADD COLUMN display_name text`,
  setCreationSearchText,
  `DROP TRIGGER creations_search_text ON creations`,
  `CREATE TRIGGER creations_search_text BEFORE INSERT OR UPDATE OF type, display_name, prompt, content ON creations
  FOR EACH ROW EXECUTE FUNCTION set_creation_search_text()`,
  // Copies columns of the creation, so that a page and its counts can be read from one index.
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

/** Id of the text that a job rewrites a part of. */
export class RewrittenTexts1700000000035 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE jobs ADD COLUMN IF NOT EXISTS source_id uuid`);
    await createConcurrently(runner, { jobs_source: 'jobs (source_id) WHERE source_id IS NOT NULL' });
  }
}

/** Named briefs of users. */
export class Voices1700000000036 extends statements(
  `CREATE TABLE voices (
    id uuid PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL,
    manner jsonb NOT NULL,
    CONSTRAINT voices_name UNIQUE (user_id, name))`,
) {}

/** Flows: jobs of several tools as one run. jobs.flow_id has no foreign key, since jobs outlive their flow. */
export class Flows1700000000037 extends statements(
  `CREATE TABLE flows (
    id uuid PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    flow text NOT NULL,
    title text NOT NULL,
    input jsonb NOT NULL,
    files jsonb NOT NULL DEFAULT '{}',
    charge_month date,
    idempotency_key text,
    request_hash text NOT NULL,
    revision integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    cancelled boolean NOT NULL DEFAULT false)`,
  `CREATE INDEX flows_newest ON flows (user_id, created_at, id)`,
  `CREATE INDEX flows_open ON flows (user_id) WHERE ended_at IS NULL`,
  `CREATE UNIQUE INDEX flows_idempotency ON flows (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL`,
  `CREATE TABLE flow_steps (
    flow_id uuid NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    n integer NOT NULL,
    tool text NOT NULL,
    needs integer,
    job_id uuid NOT NULL UNIQUE,
    credits integer NOT NULL DEFAULT 0,
    started boolean NOT NULL DEFAULT false,
    left_out boolean NOT NULL DEFAULT false,
    note text,
    PRIMARY KEY (flow_id, n),
    CONSTRAINT flow_steps_n_check CHECK (n > 0),
    CONSTRAINT flow_steps_credits_check CHECK (credits >= 0))`,
  `ALTER TABLE jobs ADD COLUMN flow_id uuid`,
) {}

/** Makes storage use also count settings of creations, versions of texts, and shared copies of texts. */
export class StorageOfTexts1700000000038 extends statements(storageUse) {}

/**
 * Enables fastupdate, so that trigrams of new texts are indexed in bulk; inserting them one by one took half of the
 * time that ending a job takes. Searches scan the pending list, so its size is limited.
 */
export class SearchIndexList1700000000039 extends statements(
  // gin_pending_list_limit is in kilobytes: 256 kB hold the trigrams of about five articles.
  `ALTER INDEX creations_search SET (fastupdate = on, gin_pending_list_limit = 256)`,
) {}
