import { execute, type Database } from '#libs/database/sql.js';

/** No attempt of a job runs longer. */
export const LOST_AFTER_MINUTES = 60;
export const PROVIDER_CALL_DAYS = 90;

/**
 * Ends calls whose worker died. Nobody knows what they cost, so they get the average cost of the calls of their tool and
 * model.
 */
export const endLostCalls = (database: Database): Promise<number> =>
  execute(
    database,
    `WITH lost AS (
       UPDATE provider_calls AS call SET status = 'lost', cost = (
         SELECT round(avg(cost)) FROM (
           SELECT other.cost FROM provider_calls AS other
           WHERE other.tool = call.tool AND other.model = call.model AND other.kind = call.kind AND other.status = 'ok'
           ORDER BY other.started_at DESC LIMIT 100) AS latest)
       WHERE id IN (
         SELECT id FROM provider_calls
         WHERE status = 'running' AND started_at < now() - make_interval(mins => ${LOST_AFTER_MINUTES})
         ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED)
       RETURNING date_trunc('month', started_at AT TIME ZONE 'UTC')::date AS month, plan, cost
     )
     INSERT INTO provider_spending AS spending (month, plan, cost)
       SELECT month, plan, sum(cost) FROM lost WHERE cost > 0 GROUP BY month, plan ORDER BY month, plan
       ON CONFLICT (month, plan) DO UPDATE SET cost = spending.cost + excluded.cost`,
  );
