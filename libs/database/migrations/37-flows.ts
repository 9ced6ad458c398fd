import { statements } from './migration.js';

/** Jobs of several tools as one run. A job names its flow without a foreign key: it outlives the flow. */
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
