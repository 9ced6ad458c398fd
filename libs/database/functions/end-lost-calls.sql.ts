/**
 * Ends running calls of AI providers whose worker died, and adds their cost to the month. Nobody knows what they cost, so they
 * get the average cost of the calls of their tool and model, or what their attempt has reserved if there was none before. The
 * caller has locked the calls.
 */
export const endLostCalls = `
  CREATE OR REPLACE FUNCTION end_lost_calls(ids uuid[]) RETURNS void LANGUAGE sql AS $$
    WITH lost AS (
      UPDATE provider_calls AS call SET status = 'lost', cost = coalesce((
        SELECT round(avg(cost)) FROM (
          SELECT other.cost FROM provider_calls AS other
          WHERE other.tool = call.tool AND other.model = call.model AND other.kind = call.kind AND other.status = 'ok'
          ORDER BY other.started_at DESC LIMIT 100) AS latest),
        (SELECT max(reserved.cost) FROM provider_reservations AS reserved
          WHERE reserved.job_id = call.job_id AND reserved.attempt = call.attempt))
      WHERE id = ANY (ids) AND status = 'running'
      RETURNING date_trunc('month', started_at AT TIME ZONE 'UTC')::date AS month, plan, cost
    )
    INSERT INTO provider_spending AS spending (month, plan, cost)
      SELECT month, plan, sum(cost) FROM lost WHERE cost > 0 GROUP BY month, plan ORDER BY month, plan
      ON CONFLICT (month, plan) DO UPDATE SET cost = spending.cost + excluded.cost
  $$`;
