/**
 * True if a job of another user waits in the same lane or a lane before it, and that user is below the fair share (see
 * libs/scheduling/fair-shares.ts). Jobs of slowed users (lane 3) never count, since only lanes up to 2 are compared.
 */
export const othersWait = `
  CREATE OR REPLACE FUNCTION others_wait(of_queue text, of_lane smallint, of_user text, share integer) RETURNS boolean
  LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN EXISTS (SELECT FROM jobs AS other
      WHERE other.status = 'queued' AND other.queue = of_queue AND other.lane <= least(of_lane, 2)
        AND other.user_id <> of_user AND (other.run_after IS NULL OR other.run_after <= now())
        AND (share IS NULL OR share > (SELECT count(*) FROM jobs AS one WHERE one.user_id = other.user_id
          AND one.queue = of_queue AND one.status = 'running' AND one.lease_until > now())));
  END $$`;
