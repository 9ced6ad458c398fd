/**
 * Stores calls of AI providers, adds their cost to the month, and ends reservations, in one transaction. Called by
 * `libs/costs/provider-calls.ts`. A call is stored when it starts and again when it has ended; repetitions change nothing.
 * The end of a call that counted as lost replaces its average cost.
 * Users and keys that were deleted meanwhile are left out.
 */
export const recordProviderCalls = `
  CREATE OR REPLACE FUNCTION record_provider_calls(calls jsonb, ended_reservations uuid[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    lost_costs jsonb;
  BEGIN
    SELECT jsonb_object_agg(id, cost) INTO lost_costs FROM (
      SELECT id, cost FROM provider_calls WHERE status = 'lost'
        AND id IN (SELECT (call ->> 'id')::uuid FROM jsonb_array_elements(calls) AS call WHERE call ->> 'status' <> 'running')
      ORDER BY id FOR UPDATE) AS lost;
    WITH stored AS (
      INSERT INTO provider_calls (id, job_id, attempt, user_id, api_key_id, plan, tool, model, provider, kind, status,
        started_at, seconds, input_tokens, cached_tokens, output_tokens, images, is_estimated, cost, currency, error_code)
      SELECT given.id, "jobId", attempt, (SELECT users.id FROM users WHERE users.id = "userId" FOR KEY SHARE),
        (SELECT api_keys.id FROM api_keys WHERE api_keys.id = "apiKeyId" FOR KEY SHARE), plan, tool, model, provider, kind,
        status, "startedAt", seconds, "inputTokens", "cachedTokens", "outputTokens", images, "isEstimated", cost, currency,
        "errorCode"
      FROM jsonb_to_recordset(calls) AS given (id uuid, "jobId" uuid, attempt integer, "userId" text, "apiKeyId" text,
        plan text, tool text, model text, provider text, kind text, status text, "startedAt" timestamptz, seconds real,
        "inputTokens" integer, "cachedTokens" integer, "outputTokens" integer, images integer, "isEstimated" boolean,
        cost bigint, currency text, "errorCode" text)
      ORDER BY given.id
      ON CONFLICT (id, started_at) DO UPDATE SET status = excluded.status, seconds = excluded.seconds,
        input_tokens = excluded.input_tokens, cached_tokens = excluded.cached_tokens,
        output_tokens = excluded.output_tokens, images = excluded.images, is_estimated = excluded.is_estimated,
        cost = excluded.cost, currency = excluded.currency, error_code = excluded.error_code
      WHERE provider_calls.status IN ('running', 'lost') AND excluded.status <> 'running'
      RETURNING *
    )
    INSERT INTO provider_spending AS spending (month, plan, cost)
      SELECT date_trunc('month', started_at AT TIME ZONE 'UTC')::date AS month, plan, sum(added) FROM (
        SELECT *, coalesce(cost, 0) - coalesce((lost_costs ->> id::text)::bigint, 0) AS added FROM stored) AS counted
      WHERE status <> 'running' AND added <> 0 GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (month, plan) DO UPDATE SET cost = spending.cost + excluded.cost;
    DELETE FROM provider_reservations WHERE id = ANY (ended_reservations);
  END $$`;
