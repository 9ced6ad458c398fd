/**
 * True if the free slots of a queue are reserved for standard jobs: at least `total` slots less a quarter and less `margin`
 * run premium jobs and jobs of slowed users (lanes 1 and 3), and standard jobs wait, run, or ended in the last minute.
 * Queues with fewer than four slots reserve none. Called by `claim_job`.
 */
export const slotsAreReserved = `
  CREATE OR REPLACE FUNCTION slots_are_reserved(of_queue text, total integer, margin integer) RETURNS boolean
  LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN total >= 4
      AND total - total / 4 <= margin + (SELECT count(*) FROM jobs
        WHERE status = 'running' AND queue = of_queue AND lane IN (1, 3) AND lease_until > now())
      AND (EXISTS (SELECT FROM jobs WHERE status = 'queued' AND queue = of_queue AND lane IN (0, 2))
        OR EXISTS (SELECT FROM jobs WHERE status = 'running' AND queue = of_queue AND lane IN (0, 2))
        OR EXISTS (SELECT FROM (
          SELECT lane, finished_at FROM jobs WHERE status = 'succeeded' AND queue = of_queue
          ORDER BY finished_at DESC LIMIT 500) AS recent
          WHERE lane IN (0, 2) AND finished_at > now() - interval '1 minute'));
  END $$`;
