import { z } from 'zod';
import { In } from 'typeorm';
import { monthOf } from '#libs/billing/credits.js';
import type { Budgets } from '#libs/config/budgets.js';
import type { ProviderPrices } from '#libs/config/provider-prices.js';
import {
  budgetNames,
  providerCostSchema,
  type costGroups,
  type MonthBudgets,
  type ProviderCost,
} from '#libs/contract/admin.js';
import { readHighestUsers } from '#libs/costs/budget-watch.js';
import { readBudgetUse } from '#libs/costs/provider-budgets.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { queryRows, type Database } from '#libs/database/sql.js';

export type CostGroup = (typeof costGroups)[number];

export interface CostQuery {
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  by: CostGroup;
}

/** Sums of bigint columns are texts. */
const rowSchema = providerCostSchema.extend({
  inputTokens: z.coerce.number(),
  cachedTokens: z.coerce.number(),
  outputTokens: z.coerce.number(),
  images: z.coerce.number(),
  cost: z.coerce.number().nullable(),
  estimatedCost: z.coerce.number(),
});

const columns: Record<CostGroup, string> = {
  day: `to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  tool: 'tool',
  model: 'model',
  user: 'user_id',
  key: 'api_key_id',
};

/** The other groups are summed up in one row for each currency. */
const GROUPS_LISTED = 1_000;

/** Calls of AI providers and their cost, the highest first, or by day. Calls are kept for 90 days. */
export const readProviderCosts = (database: Database, { from, to, by }: CostQuery): Promise<ProviderCost[]> =>
  queryRows(
    database,
    rowSchema,
    `WITH costs AS (
       SELECT ${columns[by]} AS "group", currency, count(*) AS calls,
         count(*) FILTER (WHERE status IN ('passing_error', 'final_error', 'lost')) AS failed,
         sum(input_tokens) AS input, sum(cached_tokens) AS cached, sum(output_tokens) AS output, sum(images) AS images,
         sum(cost) AS cost, coalesce(sum(cost) FILTER (WHERE is_estimated), 0) AS estimated,
         count(*) FILTER (WHERE cost IS NULL AND status <> 'running') AS unpriced
       FROM provider_calls WHERE started_at >= $1 AND started_at < $2 GROUP BY 1, 2),
     ordered AS (
       SELECT *, least(row_number() OVER (ORDER BY ${by === 'day' ? '"group"' : 'cost DESC NULLS LAST, calls DESC, "group"'}),
         ${GROUPS_LISTED + 1}) AS place
       FROM costs),
     listed AS (
       SELECT place, currency, CASE WHEN place <= ${GROUPS_LISTED} THEN max("group") END AS "group",
         sum(calls)::integer AS calls, sum(failed)::integer AS failed, sum(input) AS "inputTokens",
         sum(cached) AS "cachedTokens", sum(output) AS "outputTokens", sum(images) AS images, sum(cost) / 1e6 AS cost,
         sum(estimated) / 1e6 AS "estimatedCost", sum(unpriced)::integer AS unpriced
       FROM ordered GROUP BY place, currency)
     SELECT listed.*, CASE WHEN place > ${GROUPS_LISTED} THEN 'all others'
       ELSE ${{ user: 'users.email', key: 'api_keys.name' }[by as string] ?? 'NULL'} END AS label
     FROM listed
     LEFT JOIN users ON $3 = 'user' AND users.id = listed."group"
     LEFT JOIN api_keys ON $3 = 'key' AND api_keys.id = listed."group"
     ORDER BY place, currency`,
    [from, to, by],
  );

/** Users whose budget is listed: those who spent most. */
const USERS_LISTED = 5;

/** What was spent of the budgets this month, and what running jobs have reserved. */
export async function readMonthBudgets(
  database: Database,
  {
    budgets,
    providerPrices,
    now = new Date(),
  }: { budgets: Budgets; providerPrices: ProviderPrices | null; now?: Date },
): Promise<MonthBudgets> {
  const month = monthOf(now);
  const highest = budgets.user === undefined ? [] : await readHighestUsers(database, month, USERS_LISTED);
  const users = await database
    .getRepository(UserEntity)
    .findBy({ id: In(highest.map(({ userId }) => userId)) });
  const used = (await readBudgetUse(database, month, null))
    .filter(({ budget }) => budget !== 'user')
    .map((use) => ({ ...use, userId: null as string | null }));
  for (const { userId } of highest) {
    const use = (await readBudgetUse(database, month, userId)).find(({ budget }) => budget === 'user');
    if (use) used.push({ ...use, userId });
  }
  return {
    month: month.slice(0, 7),
    currency: providerPrices?.currency ?? null,
    budgets: budgetNames.flatMap((name) => {
      const limit = budgets[name];
      if (limit === undefined) return [];
      return used
        .filter(({ budget }) => budget === name)
        .map(({ budget, userId, spent, reserved }) => ({
          ...{ budget, userId, email: users.find(({ id }) => id === userId)?.email ?? null },
          ...{ limit: limit / 1e6, spent: spent / 1e6, reserved: reserved / 1e6 },
        }));
    }),
  };
}
