/** What was spent of the budgets for AI services in a month, and what running jobs have reserved. */
export const providerBudgetUse = `
  CREATE OR REPLACE FUNCTION provider_budget_use(of_user text, of_month date)
  RETURNS TABLE (budget text, spent bigint, reserved bigint) LANGUAGE sql STABLE AS $$
    WITH spending AS MATERIALIZED (
      SELECT plan, cost FROM provider_spending WHERE month = of_month
    ), reservation AS MATERIALIZED (
      SELECT plan, user_id, cost FROM provider_reservations WHERE expires_at > clock_timestamp()
    )
    SELECT 'all', coalesce((SELECT sum(cost) FROM spending), 0)::bigint,
      coalesce((SELECT sum(cost) FROM reservation), 0)::bigint
    UNION ALL
    SELECT of_plan, coalesce((SELECT sum(cost) FROM spending WHERE plan = of_plan), 0)::bigint,
      coalesce((SELECT sum(cost) FROM reservation WHERE plan = of_plan), 0)::bigint
    FROM (VALUES ('free'), ('premium')) AS plans (of_plan)
    UNION ALL
    SELECT 'user', coalesce((SELECT sum(cost) FROM provider_calls WHERE user_id = of_user AND status <> 'running'
        AND started_at >= of_month::timestamp AT TIME ZONE 'UTC'), 0)::bigint,
      coalesce((SELECT sum(cost) FROM reservation WHERE user_id = of_user), 0)::bigint
  $$`;
