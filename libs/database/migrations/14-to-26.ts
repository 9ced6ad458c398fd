import { statements } from './migration.js';

/**
 * Removes the texts of deleted creations from their jobs, and the conversation from jobs about PDFs, which repeated it.
 * Also cleans up after creations that were deleted by earlier versions.
 */
export class DeletedResults1700000000014 extends statements(
  `ALTER TABLE jobs ADD COLUMN result_deleted_at timestamptz`,
  `CREATE INDEX jobs_retry_of ON jobs (retry_of) WHERE retry_of IS NOT NULL`,
  `ALTER TABLE answer_cache ADD COLUMN job_ids uuid[] NOT NULL DEFAULT '{}'`,
  `UPDATE jobs SET input = NULL, result = result - 'chatHistory'
   WHERE status = 'succeeded' AND (input IS NOT NULL OR result ? 'chatHistory')`,
  // Deleted creations that can still be restored.
  `UPDATE jobs SET result_deleted_at = creations.deleted_at FROM creations
   WHERE creations.job_id = jobs.id AND creations.deleted_at IS NOT NULL`,
  // Permanently deleted creations: jobs with their failed attempts at the same request.
  `WITH RECURSIVE family AS (
     SELECT id, retry_of FROM jobs
     WHERE status = 'succeeded' AND result ? 'creationId'
       AND NOT EXISTS (SELECT FROM creations WHERE job_id = jobs.id)
     UNION
     SELECT jobs.id, jobs.retry_of FROM family
     JOIN jobs ON jobs.id = family.retry_of OR jobs.retry_of = family.id
     WHERE jobs.status IN ('failed', 'cancelled'))
   UPDATE jobs SET title = '', partial = '', files = '{}', input = NULL,
     result = CASE WHEN result IS NOT NULL THEN '{}'::jsonb END,
     idempotency_key = NULL, request_hash = NULL, result_deleted_at = now()
   FROM family WHERE jobs.id = family.id`,
  // Delete failed questions: their conversation is unknown, and without input they cannot be retried.
  `DELETE FROM jobs WHERE tool = 'chat-with-pdf' AND status IN ('failed', 'cancelled') AND input IS NULL`,
  // The job of a cached answer was not stored, so assume all jobs of the same user and tool.
  `UPDATE answer_cache SET job_ids = ARRAY(
     SELECT job_id FROM creations
     WHERE user_id = answer_cache.user_id AND tool = answer_cache.tool AND job_id IS NOT NULL)`,
) {}

/** Assigns existing uploads to their jobs, since storage use counts only uploads of jobs. */
export class StorageQuota1700000000015 extends statements(
  `UPDATE objects SET job_id = files.job_id
   FROM (SELECT jobs.id AS job_id, file.value AS key
         FROM jobs, jsonb_each_text(jobs.files) AS file WHERE jobs.files <> '{}') AS files
   WHERE objects.key = files.key AND objects.kind = 'upload' AND objects.job_id IS NULL
     AND objects.removed_at IS NULL`,
  `CREATE INDEX jobs_inputs ON jobs (user_id) WHERE input IS NOT NULL`,
  // A small BRIN index is enough to find the oldest jobs, since rows are stored roughly in the order of their creation.
  `CREATE INDEX jobs_age ON jobs USING brin (created_at)`,
) {}

/** Adds the lane for jobs of slowed users, and the table of slowed users. */
export class FairShares1700000000016 extends statements(
  `ALTER TABLE jobs DROP CONSTRAINT jobs_lane_check`,
  `ALTER TABLE jobs ADD CONSTRAINT jobs_lane_check CHECK (lane BETWEEN 0 AND 3)`,
  `CREATE TABLE user_slowdowns (
    user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    failures double precision NOT NULL,
    updated_at timestamptz NOT NULL)`,
) {}

export class CreationModels1700000000017 extends statements(`ALTER TABLE creations ADD COLUMN model text`) {}

/** Passkeys, authenticator apps and recovery codes of local accounts, as required by the plugins of better-auth. */
export class SecondFactors1700000000018 extends statements(
  `ALTER TABLE auth_users ADD COLUMN "twoFactorEnabled" boolean DEFAULT false`,
  `ALTER TABLE auth_sessions ADD COLUMN "method" text`,
  `CREATE TABLE auth_two_factors (
    "id" text NOT NULL PRIMARY KEY,
    "secret" text NOT NULL,
    "backupCodes" text NOT NULL,
    "userId" text NOT NULL UNIQUE REFERENCES auth_users ("id") ON DELETE CASCADE,
    "verified" boolean DEFAULT true,
    "failedVerificationCount" integer DEFAULT 0,
    "lockedUntil" timestamptz
  )`,
  `CREATE TABLE auth_passkeys (
    "id" text NOT NULL PRIMARY KEY,
    "name" text,
    "publicKey" text NOT NULL,
    "userId" text NOT NULL REFERENCES auth_users ("id") ON DELETE CASCADE,
    "credentialID" text NOT NULL UNIQUE,
    "counter" integer NOT NULL,
    "deviceType" text NOT NULL,
    "backedUp" boolean NOT NULL,
    "transports" text,
    "createdAt" timestamptz,
    "aaguid" text
  )`,
  `CREATE INDEX "auth_passkeys_userId_idx" ON auth_passkeys ("userId")`,
) {}

/** Adds which pages of a document are scans, and the words with positions that OCR recognized on them. */
export class ScannedPages1700000000019 extends statements(
  `ALTER TABLE pdf_documents ADD COLUMN scan jsonb`,
  `CREATE TABLE pdf_scanned_pages (
    document_id uuid NOT NULL REFERENCES pdf_documents ON DELETE CASCADE,
    page integer NOT NULL,
    words jsonb NOT NULL,
    PRIMARY KEY (document_id, page)
  )`,
) {}

export class Previews1700000000020 extends statements(
  `CREATE TABLE previews (
    id uuid PRIMARY KEY,
    user_id text NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
    input jsonb NOT NULL,
    file_key text,
    started_at timestamptz,
    answer jsonb,
    created_at timestamptz NOT NULL DEFAULT now())`,
) {}

/** Embeddings of passages of PDF documents, and the name of the model that wrote an answer. */
export class PassageVectors1700000000021 extends statements(
  `ALTER TABLE pdf_messages ADD COLUMN model text`,
  `CREATE TABLE pdf_passage_vectors (
    document_id uuid NOT NULL REFERENCES pdf_documents ON DELETE CASCADE,
    passage text NOT NULL,
    vector bytea NOT NULL,
    PRIMARY KEY (document_id, passage)
  )`,
) {}

export class PagesInColumns1700000000022 extends statements(
  `ALTER TABLE pdf_documents ADD COLUMN columns jsonb`,
) {}

const KINDS = `'upload', 'image', 'thumbnail', 'document', 'picture'`;

/** Versions of creations. Files of versions that are not current have their own kind, which older programs ignore. */
export class CreationVersions1700000000023 extends statements(
  `CREATE TABLE creation_versions (
    id uuid PRIMARY KEY,
    creation_id uuid NOT NULL REFERENCES creations (id) ON DELETE CASCADE,
    number integer NOT NULL,
    label text NOT NULL,
    is_current boolean NOT NULL,
    is_cut_out boolean NOT NULL,
    content text NOT NULL,
    thumbnail_key text,
    media_type text,
    width integer,
    height integer,
    idempotency_key text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT creation_versions_number UNIQUE (creation_id, number))`,
  `CREATE UNIQUE INDEX creation_versions_current ON creation_versions (creation_id) WHERE is_current`,
  `ALTER TABLE objects DROP CONSTRAINT objects_kind`,
  // NOT VALID avoids a long lock; migration 27 validates the constraint.
  `ALTER TABLE objects ADD CONSTRAINT objects_kind CHECK (kind IN (${KINDS}, 'version')) NOT VALID`,
) {}

/**
 * Measured and estimated progress of jobs, the number of jobs overtaken by a premium job, and previews of running jobs.
 */
export class ProgressAndPreviews1700000000024 extends statements(
  `ALTER TABLE jobs
    ADD COLUMN measure jsonb,
    ADD COLUMN expected_from real,
    ADD COLUMN expected_to real,
    ADD COLUMN engine text,
    ADD COLUMN size integer NOT NULL DEFAULT 0,
    ADD COLUMN went_ahead_of integer NOT NULL DEFAULT 0,
    ADD COLUMN preview_index integer`,
  `CREATE TABLE job_previews (
    job_id uuid PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    attempt integer NOT NULL,
    index integer NOT NULL,
    image bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now())`,
) {}

/** Settings and source of a creation, and a group id for jobs created by one request. Migration 27 adds the indexes. */
export class CreationSources1700000000025 extends statements(
  `ALTER TABLE creations ADD COLUMN settings jsonb,
    ADD COLUMN made_from uuid REFERENCES creations ON DELETE SET NULL`,
  `ALTER TABLE jobs ADD COLUMN group_id uuid`,
) {}

/** Batches of pictures. Migration 27 adds the index on jobs. */
export class Batches1700000000026 extends statements(
  `CREATE TABLE batches (
    id uuid PRIMARY KEY,
    user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    tool text NOT NULL,
    input jsonb NOT NULL,
    zip_key text NOT NULL UNIQUE,
    credits integer NOT NULL DEFAULT 0,
    charge_month date,
    idempotency_key text,
    request_hash text NOT NULL,
    revision integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    cancelled_at timestamptz,
    CONSTRAINT batches_credits_check CHECK (credits >= 0),
    CONSTRAINT batches_check CHECK (credits = 0 OR charge_month IS NOT NULL))`,
  `CREATE INDEX batches_newest ON batches (user_id, created_at, id)`,
  `CREATE UNIQUE INDEX batches_idempotency ON batches (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL`,
  `CREATE TABLE batch_items (
    batch_id uuid NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
    n integer NOT NULL,
    client_id text NOT NULL,
    name text NOT NULL,
    bytes integer NOT NULL,
    job_id uuid NOT NULL UNIQUE,
    sent boolean NOT NULL DEFAULT false,
    left_out boolean NOT NULL DEFAULT false,
    PRIMARY KEY (batch_id, n),
    CONSTRAINT batch_items_n_check CHECK (n > 0))`,
  `ALTER TABLE jobs ADD COLUMN batch_id uuid REFERENCES batches (id) ON DELETE SET NULL`,
) {}
