/**
 * Reserves the estimated cost of an attempt of a job, unless a budget of the month would be exceeded. If no other attempt
 * runs, what is left of the budget is enough, so that one attempt at most exceeds it. Calls run one after another, so that each
 * sees the reservations before it. A repeated call changes nothing. Reservations of earlier attempts of the job end, and their
 * running calls count as lost, with an average cost until one of them still ends. The user's row is locked first, in the
 * order of a user's deletion. Called by `libs/costs/provider-budgets.ts`, which describes the request.
 * @returns NULL if the cost is reserved; the name of a budget that is used up; `wait` while the rest of it is reserved
 */
export const reserveProviderBudget = `
  CREATE OR REPLACE FUNCTION reserve_provider_budget(request jsonb) RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    used_up text;
  BEGIN
    PERFORM FROM users WHERE id = request ->> 'userId' FOR KEY SHARE;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('reserve_provider_budget'));
    IF EXISTS (SELECT FROM provider_reservations
        WHERE job_id = (request ->> 'jobId')::uuid AND attempt < (request ->> 'attempt')::integer) THEN
      -- In the order of record_provider_calls: calls, spending, reservations.
      PERFORM end_lost_calls(ARRAY(
        SELECT id FROM provider_calls WHERE job_id = (request ->> 'jobId')::uuid
          AND attempt < (request ->> 'attempt')::integer AND status = 'running'
        ORDER BY id FOR UPDATE SKIP LOCKED));
      DELETE FROM provider_reservations
        WHERE job_id = (request ->> 'jobId')::uuid AND attempt < (request ->> 'attempt')::integer;
    END IF;
    IF EXISTS (SELECT FROM provider_reservations WHERE id = (request ->> 'id')::uuid) THEN
      RETURN NULL;
    END IF;
    SELECT CASE WHEN spent >= most::bigint THEN use.budget ELSE 'wait' END INTO used_up
      FROM provider_budget_use(request ->> 'userId', (request ->> 'month')::date) AS use
      JOIN jsonb_each_text(request -> 'limits') AS limits (budget, most) ON limits.budget = use.budget
      WHERE spent + reserved + (request ->> 'cost')::bigint > most::bigint AND (reserved > 0 OR spent >= most::bigint)
      ORDER BY spent >= most::bigint DESC LIMIT 1;
    IF used_up IS NOT NULL THEN
      RETURN used_up;
    END IF;
    DELETE FROM provider_reservations WHERE expires_at < clock_timestamp();
    INSERT INTO provider_reservations (id, job_id, attempt, user_id, plan, cost, expires_at)
      VALUES ((request ->> 'id')::uuid, (request ->> 'jobId')::uuid, (request ->> 'attempt')::integer, request ->> 'userId',
        request ->> 'plan', (request ->> 'cost')::bigint, clock_timestamp() + make_interval(secs => (request ->> 'seconds')::float));
    RETURN NULL;
  END $$`;
