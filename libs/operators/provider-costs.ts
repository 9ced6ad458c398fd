import { z } from 'zod';
import { providerCostSchema, type costGroups, type ProviderCost } from '#libs/contract/admin.js';
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

/** Calls of AI providers and their cost, the highest first, or by day. Calls are kept for 90 days. */
export const readProviderCosts = (database: Database, { from, to, by }: CostQuery): Promise<ProviderCost[]> =>
  queryRows(
    database,
    rowSchema,
    `SELECT costs.*, ${{ user: 'users.email', key: 'api_keys.name' }[by as string] ?? 'NULL'} AS label
     FROM (
       SELECT ${columns[by]} AS "group", currency, count(*)::integer AS calls,
         (count(*) FILTER (WHERE status IN ('passing_error', 'final_error', 'lost')))::integer AS failed,
         sum(input_tokens) AS "inputTokens", sum(cached_tokens) AS "cachedTokens", sum(output_tokens) AS "outputTokens",
         sum(images) AS images, sum(cost) / 1e6 AS cost,
         coalesce(sum(cost) FILTER (WHERE is_estimated), 0) / 1e6 AS "estimatedCost",
         (count(*) FILTER (WHERE cost IS NULL AND status <> 'running'))::integer AS unpriced
       FROM provider_calls WHERE started_at >= $1 AND started_at < $2 GROUP BY 1, 2) AS costs
     LEFT JOIN users ON $3 = 'user' AND users.id = costs."group"
     LEFT JOIN api_keys ON $3 = 'key' AND api_keys.id = costs."group"
     ORDER BY ${by === 'day' ? '"group"' : 'cost DESC NULLS LAST, calls DESC, "group"'}`,
    [from, to, by],
  );
