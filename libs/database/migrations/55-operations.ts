import { logAttempt } from '../functions/log-attempt.sql.js';
import { statements } from './migration.js';

/** What operators see of the running system: the attempts of each job, programs, and maintenance tasks. */
export class Operations1700000000055 extends statements(
  `ALTER TABLE jobs ADD COLUMN attempt_log jsonb NOT NULL DEFAULT '[]'`,
  logAttempt,
  `CREATE TRIGGER jobs_log_attempt BEFORE UPDATE OF status, attempts ON jobs FOR EACH ROW
  WHEN ((OLD.status = 'running' OR NEW.status = 'running')
    AND (OLD.status IS DISTINCT FROM NEW.status OR OLD.attempts <> NEW.attempts))
  EXECUTE FUNCTION log_attempt()`,
  `CREATE TABLE programs (
  id text PRIMARY KEY,
  kind text NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  errors jsonb NOT NULL DEFAULT '[]'
)`,
  `CREATE TABLE maintenance_leader (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  program text NOT NULL,
  until timestamptz NOT NULL
)`,
  `CREATE TABLE maintenance_tasks (
  name text PRIMARY KEY,
  program text NOT NULL,
  ran_at timestamptz NOT NULL,
  milliseconds integer NOT NULL,
  error text
)`,
) {}
