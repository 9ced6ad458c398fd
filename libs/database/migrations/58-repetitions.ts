import { statements } from './migration.js';

/**
 * A job's later attempt ends the reservations of earlier ones; a mail about a decision is sent again later; an operator's
 * repeated request acts once.
 */
export class Repetitions1700000000058 extends statements(
  `ALTER TABLE provider_reservations ADD COLUMN job_id uuid, ADD COLUMN attempt integer`,
  `ALTER TABLE creation_moderations ADD COLUMN notice_after timestamptz`,
  `ALTER TABLE audit_log ADD COLUMN idempotency_key text`,
  `CREATE UNIQUE INDEX audit_log_idempotency ON audit_log (target, idempotency_key) WHERE idempotency_key IS NOT NULL`,
) {}
