/**
 * Triggers that record events for webhooks in the transaction of the change, so that no event is lost when a program is
 * killed. `libs/webhooks/webhook-events.ts` decides which webhooks get a delivery.
 */

/** For a job that ended: the job itself, its batch and its flow. */
export const addJobWebhookEvents = `
  CREATE OR REPLACE FUNCTION add_job_webhook_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM webhooks WHERE user_id = NEW.user_id AND off_reason IS NULL) THEN
      INSERT INTO webhook_events (kind, subject)
      SELECT kind, subject FROM (VALUES ('job', NEW.id), ('batch', NEW.batch_id), ('flow-step', NEW.flow_id))
        AS event (kind, subject)
      WHERE subject IS NOT NULL AND (kind <> 'job' OR NEW.status <> 'cancelled');
    END IF;
    RETURN NULL;
  END $$`;

/** For pictures that were left out before they were sent, which may end their batch. */
export const addBatchWebhookEvents = `
  CREATE OR REPLACE FUNCTION add_batch_webhook_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO webhook_events (kind, subject)
    SELECT DISTINCT 'batch', batches.id FROM changed_items JOIN batches ON batches.id = changed_items.batch_id
    WHERE left_out AND NOT sent
      AND EXISTS (SELECT FROM webhooks WHERE user_id = batches.user_id AND off_reason IS NULL);
    RETURN NULL;
  END $$`;

/** For a flow that ended. */
export const addFlowWebhookEvents = `
  CREATE OR REPLACE FUNCTION add_flow_webhook_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO webhook_events (kind, subject) SELECT 'flow', NEW.id
    WHERE EXISTS (SELECT FROM webhooks WHERE user_id = NEW.user_id AND off_reason IS NULL);
    RETURN NULL;
  END $$`;
