import { statements } from './migration.js';

/** Batches of pictures. Migration 27 adds the index of their jobs. */
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
