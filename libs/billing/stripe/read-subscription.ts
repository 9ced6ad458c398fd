import { z } from 'zod';
import { subscriptionSchema, type Subscription } from '#libs/contract/account.js';
import { queryRow, type Database } from '#libs/database/sql.js';

const rowSchema = z.object({
  status: subscriptionSchema.shape.status,
  trialEnd: z.date().nullable(),
  periodEnd: z.date(),
  cancelAt: z.date().nullable(),
  graceUntil: z.date().nullable(),
});

/** The user's subscription that has not ended, in the API's format. Null if there is none. */
export async function readSubscription(database: Database, userId: string): Promise<Subscription | null> {
  const row = await queryRow(
    database,
    rowSchema,
    `SELECT "status", CASE "status" WHEN 'trialing' THEN "trialEnd" END AS "trialEnd", "periodEnd",
       coalesce("cancelAt", CASE WHEN "cancelAtPeriodEnd" THEN "periodEnd" END) AS "cancelAt", grace_until AS "graceUntil"
     FROM auth_subscriptions JOIN stripe_customers ON user_id = "referenceId"
     WHERE "referenceId" = $1 AND "stripeSubscriptionId" IS NOT NULL
       AND "status" IN ('trialing', 'active', 'past_due', 'unpaid', 'paused')
     ORDER BY "status" IN ('trialing', 'active') DESC, "periodEnd" DESC LIMIT 1`,
    [userId],
  );
  if (!row) return null;
  const iso = (time: Date | null) => time?.toISOString() ?? null;
  return {
    status: row.status,
    trialEndsAt: iso(row.trialEnd),
    periodEndsAt: row.periodEnd.toISOString(),
    cancelsAt: iso(row.cancelAt),
    graceUntil: iso(row.graceUntil),
  };
}
