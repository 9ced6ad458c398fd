/**
 * Starts an attempt of a job in one round trip. Called by `libs/jobs/claim-job.ts`, which describes the answer.
 *
 * A running job is taken over only if its lease has expired. The job's row is locked first. The user's share of the
 * slots matters only if the user holds about as many slots and another user's job waits; then an advisory lock
 * serializes the user's claims. If `waits` is false, the function does not wait for locks, so that several jobs can be
 * claimed in one transaction. Statements name the status, so that PostgreSQL leaves out months without unfinished jobs.
 *
 * Premium jobs and jobs of slowed users leave a quarter of the slots free while standard jobs use the queue: then the
 * answer is `later` and `isReserved`, with the next standard job as `next` if one waits, which has moved ahead of them.
 */
export const claimJob = `
  CREATE OR REPLACE FUNCTION claim_job(of_job uuid, lease_seconds float, waits boolean) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    job record;
    changed record;
    facts record;
    next_job record;
    total integer;
    share integer;
    behind integer;
  BEGIN
    IF waits THEN
      SELECT queue, lane, user_id, status, run_after, lease_until, virtual_start INTO job
        FROM jobs WHERE id = of_job AND status IN ('queued', 'running') FOR NO KEY UPDATE;
      IF NOT FOUND THEN
        RETURN '{"kind": "ended"}';
      END IF;
    ELSE
      SELECT queue, lane, user_id, status, run_after, lease_until, virtual_start INTO job
        FROM jobs WHERE id = of_job AND status IN ('queued', 'running') FOR NO KEY UPDATE SKIP LOCKED;
      IF NOT FOUND THEN
        -- It may have ended.
        RETURN '{"kind": "locked"}';
      END IF;
    END IF;
    SELECT EXISTS (SELECT FROM paused_queues WHERE queue = job.queue) AS is_paused,
        (SELECT sum(slots) FROM worker_slots WHERE queue = job.queue AND seen_at > now() - interval '15 seconds') AS slots,
        (SELECT count(*) FROM jobs WHERE user_id = job.user_id AND queue = job.queue
          AND status = 'running' AND lease_until > now()) AS held
      INTO facts;
    IF facts.is_paused THEN
      RETURN jsonb_build_object('kind', 'later', 'seconds', extract(epoch FROM
        coalesce(job.lease_until, job.run_after, now() + interval '2 seconds') - now()));
    END IF;
    IF (job.status = 'queued' AND job.run_after > now()) OR (job.status = 'running' AND job.lease_until >= now()) THEN
      RETURN jsonb_build_object('kind', 'later', 'seconds', extract(epoch FROM coalesce(job.lease_until, job.run_after) - now()));
    END IF;

    total := facts.slots;
    share := ceil(total / 2.0);
    -- Concurrent claims of the user are not counted, so 16 slots of the share are left to them: as many as one worker claims at
    -- once (TOGETHER in libs/jobs/claim-job.ts). Several workers may exceed the share for a moment; then jobs yield.
    IF facts.held + 16 >= share AND others_wait(job.queue, job.lane, job.user_id, share) THEN
      IF waits THEN
        PERFORM pg_advisory_xact_lock(770155, hashtext(job.queue || job.user_id));
      ELSIF NOT pg_try_advisory_xact_lock(770155, hashtext(job.queue || job.user_id)) THEN
        RETURN '{"kind": "locked"}';
      END IF;
      IF share <= (SELECT count(*) FROM jobs WHERE user_id = job.user_id AND queue = job.queue
          AND status = 'running' AND lease_until > now())
        AND others_wait(job.queue, job.lane, job.user_id, share)
      THEN
        -- Moves the job behind the next job of another user, unless it already is behind all others.
        behind := (SELECT 1 + min(other.virtual_start) FROM jobs AS other
          WHERE other.status = 'queued' AND other.queue = job.queue AND other.lane = job.lane AND job.lane <= 2
            AND other.user_id <> job.user_id AND (other.run_after IS NULL OR other.run_after <= now())
            AND share > (SELECT count(*) FROM jobs AS one WHERE one.user_id = other.user_id
              AND one.queue = job.queue AND one.status = 'running' AND one.lease_until > now()));
        IF job.status = 'queued' AND job.virtual_start < behind THEN
          UPDATE jobs SET virtual_start = behind WHERE id = of_job AND status IN ('queued', 'running') RETURNING * INTO changed;
          RETURN jsonb_build_object('kind', 'yielded', 'job', to_jsonb(changed));
        END IF;
        RETURN '{"kind": "later", "seconds": 0}';
      END IF;
    END IF;

    -- Concurrent claims of the last slots would not see each other without the lock.
    IF job.lane IN (1, 3) AND slots_are_reserved(job.queue, total, 16) THEN
      IF waits THEN
        PERFORM pg_advisory_xact_lock(770156, hashtext(job.queue));
      ELSIF NOT pg_try_advisory_xact_lock(770156, hashtext(job.queue)) THEN
        RETURN '{"kind": "locked"}';
      END IF;
      IF slots_are_reserved(job.queue, total, 0) THEN
        SELECT id INTO next_job FROM jobs AS other
          WHERE other.status = 'queued' AND other.queue = job.queue AND other.lane IN (0, 2)
            AND (other.run_after IS NULL OR other.run_after <= now())
            -- Its entry is in the queue.
            AND other.created_at < now() - interval '100 milliseconds'
            AND ceil(total / 2.0) > (SELECT count(*) FROM jobs AS one WHERE one.user_id = other.user_id
              AND one.queue = job.queue AND one.status = 'running' AND one.lease_until > now())
          ORDER BY lane, virtual_start, created_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
        IF NOT FOUND THEN
          RETURN '{"kind": "later", "seconds": 0, "isReserved": true}';
        END IF;
        UPDATE jobs SET lane = 0 WHERE id = next_job.id AND status = 'queued' RETURNING * INTO changed;
        RETURN jsonb_build_object('kind', 'later', 'seconds', 0, 'isReserved', true, 'next', to_jsonb(changed));
      END IF;
    END IF;

    UPDATE jobs SET status = 'running', attempts = attempts + 1,
        lost_attempts = lost_attempts + CASE status WHEN 'running' THEN 1 ELSE 0 END,
        lease_until = now() + make_interval(secs => lease_seconds), run_after = NULL,
        started_at = coalesce(started_at, now()), partial = '',
        stage = 'starting', stage_message = 'Starting', measure = NULL, preview_index = NULL,
        revision = revision + 100
      WHERE id = of_job AND status IN ('queued', 'running') RETURNING * INTO changed;
    RETURN jsonb_build_object('kind', 'claimed', 'job', to_jsonb(changed));
  END $$`;
