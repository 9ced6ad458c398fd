import { statements } from './migration.js';

/** The lane of jobs that yield to others, and the users who are slowed down. */
export class FairShares1700000000016 extends statements(
  `ALTER TABLE jobs DROP CONSTRAINT jobs_lane_check`,
  `ALTER TABLE jobs ADD CONSTRAINT jobs_lane_check CHECK (lane BETWEEN 0 AND 3)`,
  `CREATE TABLE user_slowdowns (
    user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    failures double precision NOT NULL,
    updated_at timestamptz NOT NULL)`,
) {}
