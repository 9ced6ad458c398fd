import { statements } from './migration.js';

/**
 * Users (called people before migration 12), credits, jobs and creations, with the tables for live events and
 * operations.
 */
export class FirstJob1700000000001 extends statements(
  `CREATE TABLE people (
    id text PRIMARY KEY,
    name text NOT NULL,
    email text,
    image_url text,
    plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'premium')),
    role text NOT NULL DEFAULT 'person' CHECK (role IN ('person', 'admin')),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX people_email ON people (lower(email))`,
  // The balance equals the sum of the month's entries. The checks protect it against bugs in the program.
  `CREATE TABLE credit_balances (
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    month date NOT NULL CHECK (extract(day FROM month) = 1),
    granted integer NOT NULL DEFAULT 0 CHECK (granted >= 0),
    balance integer NOT NULL DEFAULT 0 CHECK (balance >= 0),
    PRIMARY KEY (person_id, month),
    CHECK (balance <= granted)
  )`,
  `CREATE TABLE credit_entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    month date NOT NULL,
    kind text NOT NULL CHECK (kind IN ('grant', 'charge', 'refund')),
    amount integer NOT NULL,
    job_id uuid,
    note text,
    created_at timestamptz NOT NULL DEFAULT now(),
    CHECK (CASE kind WHEN 'charge' THEN amount < 0 ELSE amount > 0 END),
    CHECK ((kind = 'grant') = (job_id IS NULL))
  )`,
  `CREATE UNIQUE INDEX credit_entries_once ON credit_entries (job_id, kind) WHERE job_id IS NOT NULL`,
  `CREATE INDEX credit_entries_person ON credit_entries (person_id, month)`,
  `CREATE TABLE jobs (
    id uuid PRIMARY KEY,
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    tool text NOT NULL,
    queue text NOT NULL,
    title text NOT NULL,
    input jsonb,
    status text NOT NULL DEFAULT 'queued'
      CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    priority text NOT NULL CHECK (priority IN ('premium', 'standard')),
    stage text NOT NULL DEFAULT 'queued',
    stage_message text NOT NULL DEFAULT 'Waiting for its turn',
    percent real NOT NULL DEFAULT 0 CHECK (percent BETWEEN 0 AND 100),
    partial text NOT NULL DEFAULT '',
    result jsonb,
    error_code text,
    error_message text,
    attempts integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    losses integer NOT NULL DEFAULT 0,
    run_after timestamptz,
    lease_until timestamptz,
    credits integer NOT NULL DEFAULT 0 CHECK (credits >= 0),
    charge_month date,
    revision bigint NOT NULL DEFAULT 0,
    idempotency_key text,
    request_hash text,
    retry_of uuid,
    request_id text,
    enqueued_at timestamptz,
    -- Milliseconds, as JavaScript knows them: a cursor made of one must find its row again.
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    started_at timestamptz,
    finished_at timestamptz,
    CHECK ((status = 'running') = (lease_until IS NOT NULL)),
    CHECK ((status IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT NULL)),
    CHECK ((status = 'succeeded') = (result IS NOT NULL)),
    CHECK (credits = 0 OR charge_month IS NOT NULL)
  )`,
  `CREATE UNIQUE INDEX jobs_idempotency ON jobs (person_id, idempotency_key) WHERE idempotency_key IS NOT NULL`,
  `CREATE INDEX jobs_newest ON jobs (person_id, created_at DESC, id DESC)`,
  `CREATE INDEX jobs_unfinished ON jobs (person_id) WHERE status IN ('queued', 'running')`,
  `CREATE INDEX jobs_waiting ON jobs (queue, priority, created_at, id) WHERE status = 'queued'`,
  `CREATE INDEX jobs_leased ON jobs (lease_until) WHERE status = 'running'`,
  `CREATE INDEX jobs_finished ON jobs (queue, finished_at DESC) WHERE status = 'succeeded'`,
  `CREATE TABLE creations (
    id uuid PRIMARY KEY,
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    job_id uuid UNIQUE REFERENCES jobs ON DELETE SET NULL,
    tool text NOT NULL,
    type text NOT NULL,
    prompt text NOT NULL,
    content text NOT NULL,
    engine text NOT NULL,
    published boolean NOT NULL DEFAULT false,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    deleted_at timestamptz
  )`,
  `CREATE INDEX creations_newest ON creations (person_id, created_at DESC, id DESC)`,
  // One row per running worker process and queue: number of jobs that can run at once.
  `CREATE TABLE worker_slots (
    worker_id text NOT NULL,
    queue text NOT NULL,
    slots integer NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (worker_id, queue)
  )`,
  // Payloads larger than PostgreSQL's limit of 8,000 bytes for NOTIFY. Written by @socket.io/postgres-adapter.
  `CREATE TABLE socket_io_attachments (
    id bigserial UNIQUE,
    created_at timestamptz DEFAULT now(),
    payload bytea
  )`,
) {}

/**
 * Tables of better-auth, as generated by its own schema generator for this project's options, and a table for rate
 * limits of sign-in. A test fails if a newer version of the library needs a different schema.
 */
export class LocalAccounts1700000000002 extends statements(
  `CREATE TABLE auth_users (
    "id" text NOT NULL PRIMARY KEY,
    "name" text NOT NULL,
    "email" text NOT NULL UNIQUE,
    "emailVerified" boolean NOT NULL,
    "image" text,
    "createdAt" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL
  )`,
  `CREATE TABLE auth_sessions (
    "id" text NOT NULL PRIMARY KEY,
    "expiresAt" timestamptz NOT NULL,
    "token" text NOT NULL UNIQUE,
    "createdAt" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamptz NOT NULL,
    "ipAddress" text,
    "userAgent" text,
    "userId" text NOT NULL REFERENCES auth_users ("id") ON DELETE CASCADE
  )`,
  `CREATE INDEX "auth_sessions_userId_idx" ON auth_sessions ("userId")`,
  `CREATE TABLE auth_accounts (
    "id" text NOT NULL PRIMARY KEY,
    "accountId" text NOT NULL,
    "providerId" text NOT NULL,
    "userId" text NOT NULL REFERENCES auth_users ("id") ON DELETE CASCADE,
    "accessToken" text,
    "refreshToken" text,
    "idToken" text,
    "accessTokenExpiresAt" timestamptz,
    "refreshTokenExpiresAt" timestamptz,
    "scope" text,
    "password" text,
    "createdAt" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamptz NOT NULL
  )`,
  `CREATE INDEX "auth_accounts_userId_idx" ON auth_accounts ("userId")`,
  `CREATE TABLE auth_verifications (
    "id" text NOT NULL PRIMARY KEY,
    "identifier" text NOT NULL,
    "value" text NOT NULL,
    "expiresAt" timestamptz NOT NULL,
    "createdAt" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL
  )`,
  `CREATE INDEX "auth_verifications_identifier_idx" ON auth_verifications ("identifier")`,
  `CREATE TABLE auth_keys (
    "id" text NOT NULL PRIMARY KEY,
    "publicKey" text NOT NULL,
    "privateKey" text NOT NULL,
    "createdAt" timestamptz NOT NULL,
    "expiresAt" timestamptz,
    "alg" text,
    "crv" text
  )`,
  // Columns and their order are required by rate-limiter-flexible.
  `CREATE TABLE auth_rate_limits (
    key varchar(255) PRIMARY KEY,
    points integer NOT NULL DEFAULT 0,
    expire bigint
  )`,
) {}

/** Files of users: one row per object in the store, inserted before the file is written. */
export class Files1700000000003 extends statements(
  `CREATE TABLE objects (
    key text PRIMARY KEY CHECK (key ~ '^[A-Za-z0-9_-]{43}$'),
    -- Null once the account is gone: the row then only says which bytes are still to be removed.
    person_id text REFERENCES people ON DELETE SET NULL,
    kind text NOT NULL CHECK (kind IN ('upload', 'image', 'thumbnail')),
    type text NOT NULL,
    bytes integer NOT NULL CHECK (bytes >= 0),
    sha256 text NOT NULL,
    name text NOT NULL,
    job_id uuid,
    creation_id uuid REFERENCES creations ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Null while the bytes are on their way to the store.
    stored_at timestamptz,
    -- Set when nobody may read the object any more; its bytes go next, then the row.
    removed_at timestamptz
  )`,
  `CREATE INDEX objects_person ON objects (person_id)`,
  `CREATE INDEX objects_creation ON objects (creation_id) WHERE creation_id IS NOT NULL`,
  `CREATE INDEX objects_without_creation ON objects (created_at) WHERE creation_id IS NULL`,
  `CREATE INDEX objects_removed ON objects (removed_at) WHERE removed_at IS NOT NULL`,
  // Object key of each input field's file.
  `ALTER TABLE jobs ADD COLUMN files jsonb NOT NULL DEFAULT '{}'`,
  `CREATE INDEX jobs_with_files ON jobs (id)
  WHERE files <> '{}' AND input IS NOT NULL AND status <> 'succeeded'`,
) {}

/** PDF documents of users, their text by page, and conversations about them. */
export class Documents1700000000004 extends statements(
  `CREATE TABLE pdf_documents (
    id uuid PRIMARY KEY,
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    sha256 text NOT NULL,
    -- What the file was called when it was first read.
    file_name text NOT NULL,
    -- What a conversation about it is listed under; null where there is none.
    chat_name text,
    -- The text of each page, in order.
    pages jsonb NOT NULL CHECK (jsonb_typeof(pages) = 'array'),
    used_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (person_id, sha256),
    UNIQUE (person_id, chat_name)
  )`,
  `CREATE INDEX pdf_documents_used ON pdf_documents (used_at)`,
  `CREATE TABLE pdf_messages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id uuid NOT NULL REFERENCES pdf_documents ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('user', 'assistant')),
    content text NOT NULL,
    citations jsonb,
    engine text,
    -- When the question was asked: answers may come in another order.
    asked_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX pdf_messages_order ON pdf_messages (document_id, asked_at, id)`,
) {}

/** Likes of published images: one row per user and creation, deleted with either. */
export class Likes1700000000005 extends statements(
  `CREATE TABLE creation_likes (
    creation_id uuid NOT NULL REFERENCES creations ON DELETE CASCADE,
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (creation_id, person_id)
  )`,
  `CREATE INDEX creation_likes_person ON creation_likes (person_id)`,
  `CREATE INDEX creations_published ON creations (created_at DESC, id DESC)
  WHERE published AND deleted_at IS NULL AND type = 'image'`,
) {}

/** Cached answers, so that repeated work has the same result. */
export class Ats1700000000006 extends statements(
  `CREATE TABLE first_answers (
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    tool text NOT NULL,
    key text NOT NULL,
    answer jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (person_id, tool, key)
  )`,
) {}

/** Stores the file of a PDF document, so that its pages can be shown next to the answers. */
export class DocumentFiles1700000000007 extends statements(
  `ALTER TABLE objects
    DROP CONSTRAINT objects_kind_check,
    ADD CONSTRAINT objects_kind CHECK (kind IN ('upload', 'image', 'thumbnail', 'document'))`,
  // Null for documents that were stored before their files were kept.
  `ALTER TABLE pdf_documents ADD COLUMN file_key text REFERENCES objects ON DELETE SET NULL`,
  `CREATE INDEX pdf_documents_file ON pdf_documents (file_key) WHERE file_key IS NOT NULL`,
) {}

/** Position of a waiting job in its queue: the lane, and the turn, which orders jobs within the lane. */
export class FairQueue1700000000008 extends statements(
  // The defaults apply to jobs that the previous version stores during a deployment.
  `ALTER TABLE jobs ADD COLUMN lane smallint NOT NULL DEFAULT 2 CHECK (lane BETWEEN 0 AND 2),
    ADD COLUMN turn integer NOT NULL DEFAULT 0`,
  `UPDATE jobs SET lane = 1 WHERE priority = 'premium' AND status IN ('queued', 'running')`,
  `CREATE INDEX jobs_turns ON jobs (queue, lane, turn, created_at, id) INCLUDE (tool) WHERE status = 'queued'`,
  `DROP INDEX jobs_waiting`,
) {}

/**
 * Tables and columns for operators: paused queues, sessions of the queue board, credits taken back, and traces of jobs.
 */
export class Operations1700000000009 extends statements(
  // W3C traceparent of the request that created the job.
  `ALTER TABLE jobs ADD COLUMN trace_parent text`,
  `CREATE TABLE paused_queues (
    queue text PRIMARY KEY,
    reason text NOT NULL DEFAULT '',
    paused_at timestamptz NOT NULL DEFAULT now()
  )`,
  // Sessions of the queue board, since a browser sends no bearer token when it opens a page. Only the hash of the
  // cookie's secret is stored.
  `CREATE TABLE admin_sessions (
    token_hash text PRIMARY KEY,
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  )`,
  `ALTER TABLE credit_entries
    DROP CONSTRAINT credit_entries_kind_check,
    DROP CONSTRAINT credit_entries_check,
    DROP CONSTRAINT credit_entries_check1,
    ADD CONSTRAINT credit_entries_kind CHECK (kind IN ('grant', 'charge', 'refund', 'adjustment')),
    ADD CONSTRAINT credit_entries_sign
      CHECK (CASE WHEN kind IN ('charge', 'adjustment') THEN amount < 0 ELSE amount > 0 END),
    ADD CONSTRAINT credit_entries_job CHECK ((kind IN ('grant', 'adjustment')) = (job_id IS NULL))`,
) {}

/** Data about users of the hosted account provider (Clerk), and profile pictures of local accounts. */
export class HostedAccounts1700000000011 extends statements(
  `CREATE TABLE clerk_users (
    person_id text PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    -- When Clerk made what we last took of profile and metadata; null: not read yet.
    profile_at timestamptz(3),
    -- The plan by the newest token seen. It counts while no event of billing is newer.
    claimed_premium boolean NOT NULL DEFAULT false,
    claimed_at timestamptz(3),
    -- What the metadata say besides: private plan, public role.
    granted_premium boolean NOT NULL DEFAULT false,
    granted_admin boolean NOT NULL DEFAULT false,
    -- free_usage as Clerk has it.
    told_usage integer,
    -- When Clerk may be asked again about this person, and the failures in a row so far.
    run_after timestamptz NOT NULL DEFAULT now(),
    failures integer NOT NULL DEFAULT 0
  )`,
  `CREATE INDEX clerk_users_unread ON clerk_users (run_after) WHERE profile_at IS NULL`,
  `CREATE TABLE clerk_subscription_items (
    id text PRIMARY KEY,
    person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
    plan text NOT NULL,
    status text NOT NULL,
    period_end timestamptz(3),
    changed_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX clerk_subscription_items_person ON clerk_subscription_items (person_id)`,
  // Processed webhook deliveries, by their svix-id.
  `CREATE TABLE clerk_events (
    id text PRIMARY KEY,
    received_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX clerk_events_age ON clerk_events (received_at)`,
  // Deleted users, so that late events or tokens don't create them again. Only the hash stays once the user is deleted
  // at Clerk too.
  `CREATE TABLE clerk_removals (
    id_hash text PRIMARY KEY,
    user_id text,
    removed_at timestamptz NOT NULL DEFAULT now(),
    run_after timestamptz NOT NULL DEFAULT now(),
    failures integer NOT NULL DEFAULT 0
  )`,
  `ALTER TABLE objects
    DROP CONSTRAINT IF EXISTS objects_kind_check,
    DROP CONSTRAINT IF EXISTS objects_kind,
    ADD CONSTRAINT objects_kind CHECK (kind IN ('upload', 'image', 'thumbnail', 'document', 'picture'))`,
  `ALTER TABLE people ADD COLUMN picture_key text`,
  `CREATE INDEX people_picture ON people (picture_key) WHERE picture_key IS NOT NULL`,
  // Index for retention, which deletes expired sessions.
  `CREATE INDEX "auth_sessions_expiresAt_idx" ON auth_sessions ("expiresAt")`,
) {}
