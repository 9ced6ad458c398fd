import { statements } from './migration.js';

/** What operators need: held queues, sessions of the queue board, credits taken back, and the trace a job belongs to. */
export class Operations1700000000009 extends statements(
  // The W3C traceparent of the request that a job came with.
  `ALTER TABLE jobs ADD COLUMN trace_parent text`,
  `CREATE TABLE paused_queues (
    queue text PRIMARY KEY,
    reason text NOT NULL DEFAULT '',
    paused_at timestamptz NOT NULL DEFAULT now()
  )`,
  // A browser that opens a page sends no bearer token. Only the hash of what its cookie holds is kept.
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
