import { statements } from './migration.js';

/** Alerts of the programs themselves, and when programs last wrote. */
export class Alerts1700000000051 extends statements(
  `CREATE TABLE heartbeats (name text PRIMARY KEY, beat_at timestamptz NOT NULL)`,
  `CREATE TABLE alerts (
  key text PRIMARY KEY,
  name text NOT NULL,
  labels jsonb NOT NULL,
  summary text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  starts_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz,
  sent jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT alerts_status CHECK (status IN ('pending', 'firing', 'resolved'))
)`,
) {}
