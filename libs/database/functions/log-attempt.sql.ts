/**
 * Trigger that keeps a job's attempts in its row: attempt, worker, start, end and outcome of the last 50. Outcomes are
 * `succeeded`, `failed`, `cancelled`, `retried` (a service or the tool failed), `waited` (a service was unavailable, or running
 * jobs had reserved the rest of a budget), `released` (the worker stopped, or gave the slot to another user) and `lost` (the
 * worker died). Attempts in a row that waited have one entry: the start of the first, and the rest of the last. Claims name the
 * worker in the setting `pressroom.worker`.
 */
export const logAttempt = `
  CREATE OR REPLACE FUNCTION log_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    earlier jsonb := CASE OLD.attempt_log WHEN '[]' THEN OLD.attempt_log ELSE OLD.attempt_log - -1 END;
    entry jsonb;
  BEGIN
    IF OLD.status = 'running' THEN
      entry := coalesce(OLD.attempt_log -> -1, jsonb_build_object('attempt', OLD.attempts)) || jsonb_strip_nulls(jsonb_build_object(
        'endedAt', CASE NEW.status WHEN 'running' THEN OLD.lease_until ELSE clock_timestamp() END,
        'outcome', CASE
          WHEN NEW.status = 'running' THEN 'lost'
          WHEN NEW.status <> 'queued' THEN NEW.status
          WHEN NEW.stage <> 'waiting' THEN 'released'
          WHEN NEW.failures > OLD.failures THEN 'retried'
          ELSE 'waited' END,
        'message', CASE
          WHEN NEW.status = 'failed' THEN NEW.error_message
          WHEN NEW.status = 'queued' AND NEW.stage = 'waiting' THEN NEW.stage_message END));
      IF entry ->> 'outcome' = 'waited' AND earlier -> -1 ->> 'outcome' = 'waited' THEN
        entry := entry || jsonb_build_object('startedAt', earlier -> -1 -> 'startedAt');
        earlier := earlier - -1;
      END IF;
      NEW.attempt_log := earlier || entry;
    END IF;
    IF NEW.status = 'running' THEN
      NEW.attempt_log := (CASE WHEN jsonb_array_length(NEW.attempt_log) < 50 THEN NEW.attempt_log ELSE NEW.attempt_log - 0 END)
        || jsonb_build_object('attempt', NEW.attempts, 'startedAt', clock_timestamp(),
          'worker', nullif(current_setting('pressroom.worker', true), ''));
    END IF;
    RETURN NEW;
  END $$`;
