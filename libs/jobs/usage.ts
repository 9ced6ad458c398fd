import { z } from 'zod';
import { receiptSchema, type Receipt, type Usage } from '#libs/contract/usage.js';
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

const daySchema = z.object({
  day: z.string(),
  tool: z.string(),
  jobs: z.number(),
  succeeded: z.number(),
  credits: z.number(),
});
const DAYS = `
  SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, tool, count(*)::integer AS jobs,
    (count(*) FILTER (WHERE status = 'succeeded'))::integer AS succeeded, sum(credits)::integer AS credits
  FROM jobs
  WHERE user_id = $1 AND created_at >= $2::date::timestamp AT TIME ZONE 'UTC'
    AND created_at < ($2::date + interval '1 month') AT TIME ZONE 'UTC'
  GROUP BY 1, 2 ORDER BY 1 DESC, jobs DESC, tool`;

const storageSchema = z.object({ kind: z.string(), files: z.number(), bytes: z.coerce.number() });
const STORAGE = `
  SELECT kind, count(*)::integer AS files, sum(bytes) AS bytes FROM objects
  WHERE user_id = $1 AND removed_at IS NULL GROUP BY kind
  UNION ALL
  SELECT 'text', count(*)::integer, coalesce(sum(octet_length(content)), 0) FROM creations
  WHERE user_id = $1 AND deleted_at IS NULL AND type <> 'image' HAVING count(*) > 0
  ORDER BY bytes DESC`;

/** @param month as `2026-11` */
export async function readUsage(database: Database, userId: string, month: string): Promise<Usage> {
  const first = `${month}-01`;
  const [credits, days, storage] = await Promise.all([
    queryRow(database, creditsSchema, CREDITS, [userId, first]),
    queryRows(database, daySchema, DAYS, [userId, first]),
    queryRows(database, storageSchema, STORAGE, [userId]),
  ]);
  const { granted, charged, refunded, adjusted } = credits!;
  return { month, credits: { ...credits!, left: granted - charged + refunded + adjusted }, days, storage };
}

const receiptRowSchema = receiptSchema.extend({ at: isoTime });

/**
 * The credits of each job of a month, the newest charge first. Together with grants and adjustments they are the ledger.
 * @throws AppError VALIDATION_FAILED if the cursor is invalid
 */
export async function listReceipts(
  database: Database,
  userId: string,
  { month, cursor, limit }: { month: string; cursor?: string | undefined; limit: number },
): Promise<{ receipts: Receipt[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const rows = await queryRows(
    database,
    receiptRowSchema,
    `SELECT charge.job_id AS "jobId", jobs.tool, CASE WHEN jobs.result_deleted_at IS NULL THEN jobs.title END AS title,
       jobs.status, jobs.attempts, -charge.amount AS quoted, -charge.amount AS charged,
       coalesce(refund.amount, 0) AS refunded,
       CASE WHEN refund.amount IS NOT NULL THEN coalesce(jobs.error_message,
         CASE jobs.status WHEN 'cancelled' THEN 'It was cancelled.' END, refund.note) END AS reason,
       api_keys.name AS key, date_trunc('milliseconds', charge.created_at) AS at
     FROM credit_entries charge
     LEFT JOIN credit_entries refund ON refund.job_id = charge.job_id AND refund.kind = 'refund'
     LEFT JOIN jobs ON jobs.id = charge.job_id
     LEFT JOIN api_keys ON api_keys.id = charge.api_key_id
     WHERE charge.user_id = $1 AND charge.month = $2::date AND charge.kind = 'charge'
       AND ($3::timestamptz IS NULL OR (date_trunc('milliseconds', charge.created_at), charge.job_id) < ($3, $4::uuid))
     ORDER BY date_trunc('milliseconds', charge.created_at) DESC, charge.job_id DESC LIMIT $5::integer + 1`,
    [userId, `${month}-01`, after?.time ?? null, after?.id ?? null, limit],
  );
  const receipts = rows.slice(0, limit);
  const last = receipts.at(-1);
  return {
    receipts,
    nextCursor: rows.length > limit && last ? encodeCursor(new Date(last.at), last.jobId) : null,
  };
}
