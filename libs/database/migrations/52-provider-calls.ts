import { statements } from './migration.js';

/** Calls of AI providers with their cost, and the cost of each month. */
export class ProviderCalls1700000000052 extends statements(
  `CREATE TABLE provider_calls (
  id uuid PRIMARY KEY,
  job_id uuid NOT NULL,
  attempt integer NOT NULL,
  user_id text REFERENCES users ON DELETE SET NULL,
  api_key_id text REFERENCES api_keys ON DELETE SET NULL,
  plan text NOT NULL,
  tool text NOT NULL,
  model text NOT NULL,
  provider text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  seconds real,
  input_tokens integer NOT NULL DEFAULT 0,
  cached_tokens integer NOT NULL DEFAULT 0,
  output_tokens integer NOT NULL DEFAULT 0,
  images integer NOT NULL DEFAULT 0,
  is_estimated boolean NOT NULL DEFAULT false,
  cost bigint,
  currency text,
  error_code text,
  CONSTRAINT provider_calls_provider CHECK (provider IN ('main', 'fallback')),
  CONSTRAINT provider_calls_plan CHECK (plan IN ('free', 'premium')),
  CONSTRAINT provider_calls_status
    CHECK (status IN ('running', 'ok', 'passing_error', 'final_error', 'stopped', 'lost'))
)`,
  `CREATE INDEX provider_calls_time ON provider_calls (started_at)`,
  `CREATE INDEX provider_calls_tool ON provider_calls (tool, started_at)`,
  `CREATE INDEX provider_calls_job ON provider_calls (job_id)`,
  `CREATE INDEX provider_calls_user ON provider_calls (user_id, started_at)`,
  `CREATE INDEX provider_calls_key ON provider_calls (api_key_id) WHERE api_key_id IS NOT NULL`,
  `CREATE INDEX provider_calls_running ON provider_calls (started_at) WHERE status = 'running'`,
  `CREATE TABLE provider_spending (
  month date NOT NULL,
  plan text NOT NULL,
  cost bigint NOT NULL,
  PRIMARY KEY (month, plan)
)`,
  `CREATE TABLE provider_reservations (
  id uuid PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  plan text NOT NULL,
  cost bigint NOT NULL,
  expires_at timestamptz NOT NULL
)`,
  `CREATE INDEX provider_reservations_user ON provider_reservations (user_id)`,
  `ALTER TABLE jobs ADD COLUMN api_key_id text`,
) {}
