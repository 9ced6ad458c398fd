import { refuseChange } from '../functions/refuse-change.sql.js';
import { statements } from './migration.js';

/** The audit log of operators, which is only added to; suspended users; creations that were taken down. */
export class AuditLog1700000000050 extends statements(
  `CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  operator text NOT NULL,
  action text NOT NULL,
  target text NOT NULL,
  reason text,
  details jsonb NOT NULL DEFAULT '{}'
)`,
  `CREATE INDEX audit_log_target ON audit_log (target, id)`,
  refuseChange,
  `CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  `ALTER TABLE users ADD COLUMN suspended_at timestamptz, ADD COLUMN suspended_reason text`,
  `ALTER TABLE creations ADD COLUMN taken_down_at timestamptz, ADD COLUMN taken_down_reason text`,
) {}
