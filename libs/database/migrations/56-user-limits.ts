import { statements } from './migration.js';

/** Limits that an operator gave a user for a time. */
export class UserLimits1700000000056 extends statements(
  `CREATE TABLE user_limits (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  unfinished_jobs integer,
  storage_bytes bigint,
  until timestamptz(3) NOT NULL
)`,
) {}
