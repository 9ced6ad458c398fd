/**
 * Trigger that keeps a job's attempts in its row: attempt, worker, start, end and outcome of the last 50. Outcomes are
 * `succeeded`, `failed`, `cancelled`, `retried` (a service or the tool failed), `released` (the worker stopped, or gave the slot
 * to another user) and `lost` (the worker died). Claims name the worker in the setting `pressroom.worker`.
 */
export const logAttempt = `
  CREATE OR REPLACE FUNCTION log_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF OLD.status = 'running' THEN
      NEW.attempt_log := (CASE WHEN OLD.attempt_log = '[]' THEN OLD.attempt_log ELSE OLD.attempt_log - -1 END)
        || (coalesce(OLD.attempt_log -> -1, jsonb_build_object('attempt', OLD.attempts)) || jsonb_strip_nulls(jsonb_build_object(
          'endedAt', CASE NEW.status WHEN 'running' THEN OLD.lease_until ELSE clock_timestamp() END,
          'outcome', CASE NEW.status
            WHEN 'running' THEN 'lost'
            WHEN 'queued' THEN CASE NEW.stage WHEN 'waiting' THEN 'retried' ELSE 'released' END
            ELSE NEW.status END,
          'message', CASE
            WHEN NEW.status = 'failed' THEN NEW.error_message
            WHEN NEW.status = 'queued' AND NEW.stage = 'waiting' THEN NEW.stage_message END)));
    END IF;
    IF NEW.status = 'running' THEN
      NEW.attempt_log := (CASE WHEN jsonb_array_length(NEW.attempt_log) < 50 THEN NEW.attempt_log ELSE NEW.attempt_log - 0 END)
        || jsonb_build_object('attempt', NEW.attempts, 'startedAt', clock_timestamp(),
          'worker', nullif(current_setting('pressroom.worker', true), ''));
    END IF;
    RETURN NEW;
  END $$`;
