import { statements } from './migration.js';

/** People, credits, jobs and creations; beside them the tables that live events and operations need. */
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
  // A balance is the sum of its entries; the checks hold whatever a bug in our code tries.
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
  // One row for each worker process alive: how many jobs of a queue can run at once.
  `CREATE TABLE worker_slots (
    worker_id text NOT NULL,
    queue text NOT NULL,
    slots integer NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (worker_id, queue)
  )`,
  // Payloads over PostgreSQL's 8,000 bytes for NOTIFY, as @socket.io/postgres-adapter keeps them.
  `CREATE TABLE socket_io_attachments (
    id bigserial UNIQUE,
    created_at timestamptz DEFAULT now(),
    payload bytea
  )`,
) {}
