import type { QueryRunner } from 'typeorm';
import { createConcurrently, Migration, statements } from './migration.js';

/** Keys of programs, and which key a charge was made with. */
export class ApiKeys1700000000046 extends statements(
  `CREATE TABLE api_keys (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  hash text NOT NULL,
  scopes text[] NOT NULL,
  rate_per_minute integer,
  monthly_jobs integer,
  monthly_credits integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  CONSTRAINT api_keys_caps CHECK (monthly_jobs >= 0 AND monthly_credits >= 0 AND rate_per_minute > 0)
)`,
  `CREATE INDEX api_keys_user ON api_keys (user_id)`,
  `CREATE TABLE api_key_months (
  api_key_id text NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  month date NOT NULL,
  jobs integer NOT NULL,
  PRIMARY KEY (api_key_id, month)
)`,
  `ALTER TABLE credit_entries ADD COLUMN api_key_id text`,
) {}

export class ApiKeyChargesIndex1700000000047 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createConcurrently(runner, {
      credit_entries_api_key: 'credit_entries (api_key_id, month) WHERE api_key_id IS NOT NULL',
    });
  }
}
