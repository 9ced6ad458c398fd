/**
 * Number of a queue's slots that are reserved for standard jobs now: a quarter of `total`, rounded down, while standard jobs
 * wait, run, or ended in the last minute, else none. Called by `slots_are_reserved`, and shown to operators.
 */
export const reservedSlots = `
  CREATE OR REPLACE FUNCTION reserved_slots(of_queue text, total integer) RETURNS integer
  LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN CASE WHEN total >= 4
      AND (EXISTS (SELECT FROM jobs WHERE status = 'queued' AND queue = of_queue AND lane IN (0, 2))
        OR EXISTS (SELECT FROM jobs WHERE status = 'running' AND queue = of_queue AND lane IN (0, 2))
        OR EXISTS (SELECT FROM (
          SELECT lane, finished_at FROM jobs WHERE status = 'succeeded' AND queue = of_queue
          ORDER BY finished_at DESC LIMIT 500) AS recent
          WHERE lane IN (0, 2) AND finished_at > now() - interval '1 minute'))
      THEN total / 4 ELSE 0 END;
  END $$`;
