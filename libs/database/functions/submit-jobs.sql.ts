/**
 * Submits the jobs of one request in one round trip. Called by `libs/jobs/submit-jobs.ts`, which describes the request
 * and the answer. Refusals are returned, not raised. Before a refusal, only two harmless writes can happen: the
 * Idempotency-Key of a job that has ended and is older than 24 hours is released, and the month's grant is added.
 *
 * Lanes are defined in libs/queue/priorities.ts: 1 premium, 2 standard, 3 slowed. libs/scheduling/fair-queueing.ts
 * explains the virtual start time. The user's row is locked first, so that a user's submissions run one after another
 * and each statement sees the previous ones. If `waits` is false, a request whose user is locked is skipped, so that a
 * transaction for several users never waits for one of them.
 */
export const submitJobs = `
  CREATE OR REPLACE FUNCTION submit_jobs(request jsonb, waits boolean) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    of_user CONSTANT text := request ->> 'userId';
    of_queue CONSTANT text := request ->> 'queue';
    new_jobs CONSTANT integer := jsonb_array_length(request -> 'jobs');
    of_tools CONSTANT jsonb := request -> 'seconds';
    owner record;
    earlier record;
    own record;
    first_jobs record;
    storage record;
    credit record;
    stored record;
    own_lane smallint;
    first_start integer;
    limits record;
    unfinished_at_most integer;
    batch_items_at_most integer;
    storage_at_most bigint;
    waiting_at_most integer;
    passed_jobs integer;
    used bigint;
    needed bigint;
    of_key CONSTANT text := CASE WHEN request ? 'paid' THEN NULL ELSE request ->> 'apiKeyId' END;
    key_refusal text;
    cost integer := coalesce((request -> 'paid' ->> 'credits')::integer, 0);
    of_month date := (request -> 'paid' ->> 'chargeMonth')::date;
  BEGIN
    IF waits THEN
      SELECT plan, role, name, email, image_url, suspended_at, suspended_reason INTO owner
        FROM users WHERE id = of_user FOR NO KEY UPDATE;
      IF NOT FOUND THEN
        RETURN '{"refused": "account-gone"}';
      END IF;
    ELSE
      SELECT plan, role, name, email, image_url, suspended_at, suspended_reason INTO owner
        FROM users WHERE id = of_user FOR NO KEY UPDATE SKIP LOCKED;
      IF NOT FOUND THEN
        RETURN '{"refused": "locked"}';
      END IF;
    END IF;

    IF request ? 'idempotencyKey' THEN
      SELECT id, request_hash,
          created_at < now() - interval '24 hours' AND status NOT IN ('queued', 'running') AS is_old
        INTO earlier FROM jobs
        WHERE user_id = of_user AND idempotency_key = request ->> 'idempotencyKey';
      IF earlier.is_old THEN
        UPDATE jobs SET idempotency_key = NULL WHERE id = earlier.id;
      ELSIF FOUND THEN
        RETURN jsonb_build_object(
          'existing', earlier.id, 'isSame', earlier.request_hash IS NOT DISTINCT FROM request ->> 'requestHash');
      END IF;
    END IF;
    -- The primary key contains created_at, so it does not refuse a second row with the same id.
    IF request ? 'mayBeStored' AND EXISTS (SELECT FROM jobs WHERE id = (request -> 'jobs' -> 0 ->> 'id')::uuid) THEN
      RETURN jsonb_build_object('existing', request -> 'jobs' -> 0 -> 'id', 'isSame', true);
    END IF;
    IF owner.suspended_at IS NOT NULL THEN
      RETURN jsonb_build_object('refused', 'suspended', 'reason', owner.suspended_reason);
    END IF;
    IF owner.plan <> 'premium' AND (request ->> 'needsPremium')::boolean THEN
      RETURN '{"refused": "premium-required"}';
    END IF;

    SELECT unfinished_jobs, storage_bytes, until INTO limits FROM user_limits WHERE user_id = of_user AND until > now();
    unfinished_at_most := coalesce(limits.unfinished_jobs, (request ->> 'unfinishedAtMost')::integer);
    -- Programs of version 0.2 send a number in place of a share.
    batch_items_at_most := coalesce(ceil((request ->> 'batchItemsShare')::float * unfinished_at_most),
      (request ->> 'batchItemsAtMost')::integer);
    storage_at_most := coalesce(limits.storage_bytes, (request -> 'storageAtMost' ->> owner.plan)::bigint);

    own_lane := CASE
      WHEN EXISTS (
        SELECT FROM user_slowdowns WHERE user_id = of_user AND (request -> 'slowed' ->> 'from')::float <=
          failures * power(0.5, extract(epoch FROM now() - updated_at) / (request -> 'slowed' ->> 'halfLifeSeconds')::float)
      ) THEN 3
      WHEN owner.plan = 'premium' THEN 1
      ELSE 2 END;
    SELECT count(*) AS unfinished, count(batch_id) AS batch_items,
        count(*) FILTER (WHERE queue = 'image') AS image_jobs,
        count(*) FILTER (WHERE status = 'queued' AND queue = of_queue AND lane <= own_lane) AS ahead,
        coalesce(sum(coalesce(of_tools ->> tool, of_tools ->> '')::float)
          FILTER (WHERE status = 'queued' AND queue = of_queue AND lane <= own_lane), 0) AS seconds,
        max(virtual_start) FILTER (WHERE queue = of_queue AND lane = own_lane) AS last_start
      INTO own FROM jobs WHERE user_id = of_user AND status IN ('queued', 'running');
    IF own.unfinished + new_jobs > unfinished_at_most THEN
      RETURN jsonb_build_object('refused', 'unfinished', 'atMost', unfinished_at_most);
    END IF;
    IF own.batch_items >= batch_items_at_most THEN
      RETURN jsonb_build_object('refused', 'batch-items', 'atMost', batch_items_at_most);
    END IF;

    first_start := 1 + coalesce(greatest(
      own.last_start,
      (SELECT max(virtual_start) FROM jobs WHERE status = 'running' AND queue = of_queue AND lane = own_lane),
      (SELECT min(virtual_start) - 1 FROM jobs WHERE status = 'queued' AND queue = of_queue AND lane = own_lane
        AND (run_after IS NULL OR run_after <= now()))), 0);

    -- Counts a short queue completely; in a long queue, counts the jobs ahead if they are few.
    SELECT count(*) AS waiting, count(*) < (request ->> 'countedAtMost')::integer AS is_whole,
        count(*) FILTER (WHERE is_ahead) AS ahead,
        count(*) FILTER (WHERE is_ahead AND lane = 1 AND user_id <> of_user) AS premium_ahead,
        coalesce(sum(seconds) FILTER (WHERE is_ahead), 0) AS seconds,
        coalesce(sum(seconds) FILTER (WHERE lane <= own_lane AND user_id <> of_user), 0) AS others,
        count(*) FILTER (WHERE lane > own_lane AND user_id <> of_user AND NOT is_later) AS passed
      INTO first_jobs FROM (
        SELECT user_id, lane, coalesce(of_tools ->> tool, of_tools ->> '')::float AS seconds,
          lane < own_lane OR (lane = own_lane AND virtual_start <= first_start) AS is_ahead,
          coalesce(run_after > now(), false) AS is_later
        FROM jobs WHERE status = 'queued' AND queue = of_queue
        ORDER BY lane, virtual_start, created_at, id LIMIT (request ->> 'countedAtMost')::integer) AS counted;
    waiting_at_most := (request -> 'waitingAtMost' ->> owner.plan)::integer;
    passed_jobs := CASE own_lane WHEN 1 THEN first_jobs.passed ELSE 0 END;
    IF NOT first_jobs.is_whole THEN
      IF (request ->> 'knownWaiting')::integer IS NULL
        OR (request ->> 'knownWaiting')::integer + (request ->> 'knownMargin')::integer >= waiting_at_most
      THEN
        first_jobs.waiting := (SELECT count(*) FROM (
          SELECT FROM jobs WHERE status = 'queued' AND queue = of_queue
          ORDER BY lane, virtual_start, created_at, id LIMIT waiting_at_most) AS counted);
      END IF;
      IF own_lane = 1 THEN
        passed_jobs := coalesce((request ->> 'knownBehindPremium')::integer, (SELECT count(*) FROM (
          SELECT FROM jobs WHERE status = 'queued' AND queue = of_queue AND lane > 1
            AND user_id <> of_user AND (run_after IS NULL OR run_after <= now())
          ORDER BY lane, virtual_start, created_at, id LIMIT waiting_at_most) AS counted));
      END IF;
    END IF;
    IF first_jobs.waiting + new_jobs > waiting_at_most THEN
      RETURN jsonb_build_object('refused', 'queue-full', 'waitingAtMost', waiting_at_most);
    END IF;

    -- For a user with thousands of creations, the api's recent count is enough while much storage is free: every file is
    -- checked again before it is stored.
    IF request ? 'knownStored' AND (request ->> 'newBytes')::bigint = 0 AND (request ->> 'knownStored')::bigint
      + (own.image_jobs + new_jobs) * (request ->> 'imageResultBytes')::bigint
      < storage_at_most * 9 / 10
    THEN
      SELECT 0::bigint AS uploads, (request ->> 'knownStored')::bigint AS results, 0::bigint AS inputs,
        0::bigint AS deleted, 0::bigint AS creations,
        false AS is_counted INTO storage;
    ELSE
      SELECT uploads, results, inputs, deleted, creations, true AS is_counted INTO storage FROM storage_use(of_user);
    END IF;
    used := storage.uploads + storage.results + storage.inputs + own.image_jobs * (request ->> 'imageResultBytes')::bigint;
    needed := (request ->> 'newBytes')::bigint + new_jobs * (request ->> 'resultBytes')::bigint;
    IF used + needed > storage_at_most THEN
      RETURN jsonb_build_object(
        'refused', CASE WHEN used - storage.deleted + needed > storage_at_most
          THEN 'storage-full' ELSE 'purge-first' END,
        'used', used, 'needed', needed, 'limit', storage_at_most);
    END IF;

    -- The batch or flow of a paid job counted it already.
    IF of_key IS NOT NULL THEN
      key_refusal := api_key_refusal(of_key, (request ->> 'month')::date, new_jobs,
        CASE owner.plan WHEN 'premium' THEN 0 ELSE new_jobs * (request ->> 'credits')::integer END);
      IF key_refusal IS NOT NULL THEN
        RETURN jsonb_build_object('refused', 'api-key', 'reason', key_refusal);
      END IF;
    END IF;
    IF NOT request ? 'paid' AND owner.plan <> 'premium' AND (request ->> 'credits')::integer > 0 THEN
      cost := (request ->> 'credits')::integer;
      of_month := (request ->> 'month')::date;
      IF NOT charge_credits(of_user, of_month, cost,
        ARRAY(SELECT (job ->> 'id')::uuid FROM jsonb_array_elements(request -> 'jobs') AS job),
        (request ->> 'monthlyCredits')::integer, of_key)
      THEN
        RETURN jsonb_build_object('refused', 'credits', 'needed', cost * new_jobs);
      END IF;
    END IF;

    WITH new AS (
      INSERT INTO jobs (id, user_id, tool, queue, title, input, files, priority, size, credits, price, charge_month,
        idempotency_key, request_hash, retry_of, batch_id, group_id, request_id, trace_parent,
        api_key_id, lane, virtual_start, went_ahead_of, enqueued_at)
      SELECT (job ->> 'id')::uuid, of_user, request ->> 'tool', of_queue, job ->> 'title', job -> 'input',
        request -> 'files', CASE owner.plan WHEN 'premium' THEN 'premium' ELSE 'standard' END, (job ->> 'size')::integer,
        cost, coalesce((request -> 'paid' ->> 'price')::integer, (request ->> 'credits')::integer), of_month,
        -- The first job of a group carries the request's idempotency key.
        CASE nth WHEN 1 THEN request ->> 'idempotencyKey' END, CASE nth WHEN 1 THEN request ->> 'requestHash' END,
        (request ->> 'retryOf')::uuid, (request ->> 'batchId')::uuid, (request ->> 'groupId')::uuid,
        request ->> 'requestId', request ->> 'traceParent',
        request ->> 'apiKeyId', own_lane, first_start + nth - 1, passed_jobs, now()
      FROM jsonb_array_elements(request -> 'jobs') WITH ORDINALITY AS given (job, nth) ORDER BY nth
      RETURNING *)
    SELECT jsonb_agg(to_jsonb(new) ORDER BY virtual_start) AS jobs, sum(pg_column_size(input)) AS bytes INTO stored FROM new;

    IF of_key IS NOT NULL THEN
      INSERT INTO api_key_months AS counted (api_key_id, month, jobs) VALUES (of_key, (request ->> 'month')::date, new_jobs)
        ON CONFLICT (api_key_id, month) DO UPDATE SET jobs = counted.jobs + excluded.jobs;
    END IF;

    SELECT granted, balance INTO credit FROM credit_balances
      WHERE user_id = of_user AND month = (request ->> 'month')::date;
    RETURN jsonb_build_object(
      'jobs', stored.jobs,
      'own', jsonb_build_object('ahead', own.ahead, 'seconds', own.seconds),
      'counted', CASE WHEN first_jobs.ahead < (request ->> 'countedAtMost')::integer THEN jsonb_build_object(
        'isWhole', first_jobs.is_whole, 'ahead', first_jobs.ahead, 'premiumAhead', first_jobs.premium_ahead, 'ownAhead', own.ahead,
        'seconds', first_jobs.seconds, 'own', own.seconds, 'others', first_jobs.others) END,
      'account', jsonb_build_object(
        'plan', owner.plan, 'role', owner.role, 'name', owner.name, 'email', owner.email, 'imageUrl', owner.image_url,
        'granted', credit.granted, 'balance', credit.balance, 'storageLimit', storage_at_most,
        'limits', CASE WHEN limits.until IS NOT NULL THEN jsonb_build_object(
          'unfinishedJobs', limits.unfinished_jobs, 'storageBytes', limits.storage_bytes, 'until', limits.until) END,
        'stored', storage.uploads + storage.results + storage.inputs + stored.bytes - storage.deleted),
      'countedCreations', CASE WHEN storage.is_counted THEN storage.creations END,
      'usedBytes', storage.uploads + storage.results + storage.inputs + stored.bytes);
  END $$`;
