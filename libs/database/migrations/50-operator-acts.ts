import { refuseChange } from '../functions/refuse-change.sql.js';
import { statements } from './migration.js';

/** What operators do: the log of their acts, which is only added to; suspended users; creations that were taken down. */
export class OperatorActs1700000000050 extends statements(
  `CREATE TABLE operator_acts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  operator text NOT NULL,
  action text NOT NULL,
  target text NOT NULL,
  reason text,
  details jsonb NOT NULL DEFAULT '{}'
)`,
  `CREATE INDEX operator_acts_target ON operator_acts (target, id)`,
  refuseChange,
  `CREATE TRIGGER operator_acts_append_only BEFORE UPDATE OR DELETE ON operator_acts
  FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  `ALTER TABLE users ADD COLUMN suspended_at timestamptz, ADD COLUMN suspended_reason text`,
  `ALTER TABLE creations ADD COLUMN taken_down_at timestamptz, ADD COLUMN taken_down_reason text`,
) {}
