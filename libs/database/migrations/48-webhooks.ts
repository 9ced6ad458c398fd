import {
  addBatchWebhookEvents,
  addFlowWebhookEvents,
  addJobWebhookEvents,
} from '../functions/add-webhook-events.sql.js';
import { statements } from './migration.js';

/** Webhooks of users, and the log of what was sent to them. */
export class Webhooks1700000000048 extends statements(
  `CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  url text NOT NULL,
  events text[] NOT NULL,
  off_reason text,
  secret bytea NOT NULL,
  signing_key bytea NOT NULL,
  previous_secret bytea,
  previous_signing_key bytea,
  rotated_at timestamptz,
  not_before timestamptz,
  failing_since timestamptz,
  failures integer NOT NULL DEFAULT 0,
  last_success_at timestamptz,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT webhooks_off_reason CHECK (off_reason IN ('owner', 'gone', 'failing'))
)`,
  `CREATE INDEX webhooks_user ON webhooks (user_id)`,
  `CREATE TABLE webhook_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  subject uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
)`,
  `CREATE INDEX webhook_events_subject ON webhook_events (kind, subject)`,
  `CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  webhook_id uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  type text NOT NULL,
  payload text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT webhook_deliveries_status CHECK (status IN ('pending', 'succeeded', 'failed', 'paused'))
)`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending'`,
  `CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, created_at, id)`,
  `CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, next_attempt_at) WHERE status = 'pending'`,
  `CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
  n integer NOT NULL,
  sent_at timestamptz NOT NULL,
  milliseconds integer NOT NULL,
  status integer,
  error text,
  response text NOT NULL DEFAULT '',
  PRIMARY KEY (delivery_id, n)
)`,
  addJobWebhookEvents,
  addBatchWebhookEvents,
  addFlowWebhookEvents,
  `CREATE TRIGGER jobs_webhook_events AFTER UPDATE OF status ON jobs FOR EACH ROW
  WHEN (NEW.status IS DISTINCT FROM OLD.status AND NEW.status IN ('succeeded', 'failed', 'cancelled'))
  EXECUTE FUNCTION add_job_webhook_events()`,
  `CREATE TRIGGER batch_items_webhook_events AFTER UPDATE ON batch_items
  REFERENCING NEW TABLE AS changed_items FOR EACH STATEMENT EXECUTE FUNCTION add_batch_webhook_events()`,
  `CREATE TRIGGER flows_webhook_events AFTER UPDATE OF ended_at ON flows FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL) EXECUTE FUNCTION add_flow_webhook_events()`,
) {}
