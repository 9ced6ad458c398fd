/**
 * True if the free slots of a queue are reserved for standard jobs: at least `total` slots less a quarter and less `margin`
 * run premium jobs and jobs of slowed users (lanes 1 and 3), and `reserved_slots` is not 0. Queues with fewer than 4 slots
 * reserve none. Called by `claim_job`.
 */
export const slotsAreReserved = `
  CREATE OR REPLACE FUNCTION slots_are_reserved(of_queue text, total integer, margin integer) RETURNS boolean
  LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN total >= 4
      AND total - total / 4 <= margin + (SELECT count(*) FROM jobs
        WHERE status = 'running' AND queue = of_queue AND lane IN (1, 3) AND lease_until > now())
      AND reserved_slots(of_queue, total) > 0;
  END $$`;
