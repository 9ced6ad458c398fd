import { z } from 'zod';
import { readStorageByKind } from '#libs/billing/storage-quota.js';
import type { Prices } from '#libs/config/prices.js';
import { planChangeSchema } from '#libs/contract/account.js';
import { receiptSchema, usageSchema, type Receipt, type Usage } from '#libs/contract/usage.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { isoTime, queryRow, queryRows, type Database } from '#libs/database/sql.js';

const creditsSchema = z.object({
  granted: z.number(),
  charged: z.number(),
  refunded: z.number(),
  adjusted: z.number(),
});
const CREDITS = `
  SELECT coalesce(sum(amount) FILTER (WHERE kind = 'grant'), 0)::integer AS granted,
    coalesce(-sum(amount) FILTER (WHERE kind = 'charge'), 0)::integer AS charged,
    coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0)::integer AS refunded,
    coalesce(sum(amount) FILTER (WHERE kind = 'adjustment'), 0)::integer AS adjusted
  FROM credit_entries WHERE user_id = $1 AND month = $2::date`;

const entrySchema = usageSchema.shape.entries.element.extend({ at: isoTime });
const ENTRIES = `
  SELECT kind, amount, note, created_at AS at FROM credit_entries
  WHERE user_id = $1 AND month = $2::date AND kind IN ('grant', 'adjustment') ORDER BY id`;

/** SQL condition: the column is within the month that starts at `$2`, in UTC. */
const inMonth = (column: string) => `(${column} >= $2::date::timestamp AT TIME ZONE 'UTC'
  AND ${column} < ($2::date + interval '1 month') AT TIME ZONE 'UTC')`;

const changeSchema = planChangeSchema.extend({ at: isoTime });
const PLAN_CHANGES = `
  SELECT plan, source, created_at AS at FROM plan_changes
  WHERE user_id = $1 AND ${inMonth('created_at')} ORDER BY id`;

/**
 * Charges with their refund, and the flow's step or the batch's picture that is charged without a job: its job has not
 * started, was left out or is deleted.
 */
const CHARGES = `credit_entries charge
  LEFT JOIN credit_entries refund ON refund.job_id = charge.job_id AND refund.kind = 'refund'
  LEFT JOIN jobs ON jobs.id = charge.job_id
  LEFT JOIN flow_steps step ON step.job_id = charge.job_id
  LEFT JOIN flows ON flows.id = step.flow_id
  LEFT JOIN batch_items item ON item.job_id = charge.job_id
  LEFT JOIN batches ON batches.id = item.batch_id`;

/** Jobs of a month, and charges without a job that were not given back. A deleted job without a refund has succeeded. */
const USED = `
  WITH used AS (
    SELECT created_at, tool, api_key_id, status = 'succeeded' AS is_succeeded, credits FROM jobs
    WHERE user_id = $1 AND ${inMonth('created_at')}
    UNION ALL
    SELECT charge.created_at, coalesce(step.tool, batches.tool), charge.api_key_id,
      coalesce(step.started, item.sent, true), -charge.amount - coalesce(refund.amount, 0)
    FROM ${CHARGES}
    WHERE charge.user_id = $1 AND charge.month = $2::date AND charge.kind = 'charge' AND jobs.id IS NULL
      AND -charge.amount > coalesce(refund.amount, 0))`;

const DAYS = `${USED}
  SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, tool, count(*)::integer AS jobs,
    (count(*) FILTER (WHERE is_succeeded))::integer AS succeeded, sum(credits)::integer AS credits
  FROM used GROUP BY 1, 2 ORDER BY 1 DESC, jobs DESC, tool`;

const KEYS = `${USED}
  SELECT CASE WHEN api_key_id IS NOT NULL THEN coalesce(api_keys.name, 'A deleted key') END AS key,
    count(*)::integer AS jobs, sum(credits)::integer AS credits
  FROM used LEFT JOIN api_keys ON api_keys.id = api_key_id
  GROUP BY api_key_id, api_keys.name ORDER BY credits DESC, jobs DESC, key`;

/** @param month as `2026-11` */
export async function readUsage(database: Database, userId: string, month: string): Promise<Usage> {
  const ofMonth = [userId, `${month}-01`];
  const { days: day, keys: key } = usageSchema.shape;
  const [credits, entries, planChanges, days, keys, storage] = await Promise.all([
    queryRow(database, creditsSchema, CREDITS, ofMonth),
    queryRows(database, entrySchema, ENTRIES, ofMonth),
    queryRows(database, changeSchema, PLAN_CHANGES, ofMonth),
    queryRows(database, day.element, DAYS, ofMonth),
    queryRows(database, key.element, KEYS, ofMonth),
    readStorageByKind(database, userId),
  ]);
  const { granted, charged, refunded, adjusted } = credits!;
  const left = granted - charged + refunded + adjusted;
  return { month, credits: { ...credits!, left }, entries, planChanges, days, keys, storage };
}

const receiptRowSchema = receiptSchema.extend({ at: isoTime });

const RECEIPTS = `
  SELECT charge.job_id AS "jobId", coalesce(jobs.tool, step.tool, batches.tool) AS tool,
    CASE WHEN jobs.id IS NULL THEN coalesce(flows.title, item.name) WHEN jobs.result_deleted_at IS NULL THEN jobs.title END
      AS title,
    coalesce(jobs.status, CASE WHEN coalesce(step.left_out, item.left_out) THEN 'left-out'
      WHEN NOT coalesce(step.started, item.sent) THEN 'not-started' END) AS status,
    jobs.attempts, -charge.amount AS quoted, -charge.amount AS charged, coalesce(refund.amount, 0) AS refunded,
    CASE WHEN refund.amount IS NOT NULL THEN coalesce(jobs.error_message, refund.note,
      CASE jobs.status WHEN 'cancelled' THEN 'It was cancelled.' END) END AS reason,
    charge.api_key_id, false AS included, charge.created_at
  FROM ${CHARGES}
  WHERE charge.user_id = $1 AND charge.month = $2::date AND charge.kind = 'charge'
  UNION ALL
  SELECT id, tool, CASE WHEN result_deleted_at IS NULL THEN title END, status, attempts,
    coalesce(price, ($3::jsonb ->> tool)::integer, 0), 0, 0, NULL, api_key_id, priority = 'premium', created_at
  FROM jobs
  WHERE user_id = $1 AND ${inMonth('created_at')}
    AND NOT EXISTS (SELECT FROM credit_entries WHERE job_id = jobs.id AND kind = 'charge')`;

/**
 * The credits of each job of a month, the newest first. Together with grants and adjustments they are the ledger.
 * @param of `prices` of jobs without a charge that an earlier version accepted
 * @throws AppError VALIDATION_FAILED if the cursor is invalid
 */
export async function listReceipts(
  database: Database,
  userId: string,
  {
    month,
    cursor,
    limit,
    prices,
  }: { month: string; cursor?: string | undefined; limit: number; prices: Prices },
): Promise<{ receipts: Receipt[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const rows = await queryRows(
    database,
    receiptRowSchema,
    `WITH receipts AS (${RECEIPTS})
     SELECT "jobId", tool, title, status, attempts, quoted, charged, refunded, reason, included, api_keys.name AS key,
       date_trunc('milliseconds', receipts.created_at) AS at
     FROM receipts LEFT JOIN api_keys ON api_keys.id = receipts.api_key_id
     WHERE $4::timestamptz IS NULL OR (date_trunc('milliseconds', receipts.created_at), "jobId") < ($4, $5::uuid)
     ORDER BY date_trunc('milliseconds', receipts.created_at) DESC, "jobId" DESC LIMIT $6::integer + 1`,
    [userId, `${month}-01`, JSON.stringify(prices.tools), after?.time ?? null, after?.id ?? null, limit],
  );
  const receipts = rows.slice(0, limit);
  const last = receipts.at(-1);
  return {
    receipts,
    nextCursor: rows.length > limit && last ? encodeCursor(new Date(last.at), last.jobId) : null,
  };
}
