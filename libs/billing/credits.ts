import { z } from 'zod';
import type { Credits, Plan } from '#libs/contract/account.js';
import { FREE_MONTHLY_CREDITS } from '#libs/contract/limits.js';
import { AppError } from '#libs/contract/errors.js';
import { CreditBalanceEntity, type CreditEntryEntity } from '#libs/database/entities/credits.js';
import { execute, queryRow, type Database } from '#libs/database/sql.js';

/**
 * Credits are a ledger: one entry per grant, charge or refund, and a balance per user and month (UTC) that always
 * equals the sum of its entries. A month's grant is added when first needed, so no scheduled job can be missed. Each
 * statement here changes a balance and writes its entry atomically.
 */

/** First day of a month in UTC, as `YYYY-MM-01`. */
export type Month = CreditBalanceEntity['month'];

export const monthOf = (time: Date): Month => `${time.toISOString().slice(0, 7)}-01`;

export function nextMonth(month: Month): Date {
  const start = new Date(`${month}T00:00:00Z`);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
}

/** A charge for one job. `amount` is positive. */
type Charge = Pick<CreditEntryEntity, 'userId' | 'month' | 'amount'> & { jobId: string; apiKeyId?: string };

type ChargeOfJobs = Omit<Charge, 'jobId'> & { jobIds: string[]; monthlyCredits?: number };

/** Charges a job, at most once. @returns false if the balance is too low */
export const chargeCredits = (
  database: Database,
  { jobId, ...charge }: Charge & { monthlyCredits?: number },
): Promise<boolean> => chargeCreditsForJobs(database, { ...charge, jobIds: [jobId] });

/** Charges `amount` for each job, or nothing. @returns false if the balance is too low */
export async function chargeCreditsForJobs(
  database: Database,
  { userId, month, amount, jobIds, apiKeyId, monthlyCredits = FREE_MONTHLY_CREDITS }: ChargeOfJobs,
): Promise<boolean> {
  const answer = await queryRow(
    database,
    z.object({ charged: z.boolean() }),
    `SELECT charge_credits($1, $2, $3, $4, $5, $6) AS charged`,
    [userId, month, amount, jobIds, monthlyCredits, apiKeyId ?? null],
  );
  return answer!.charged;
}

/**
 * Refunds charges of jobs that were never created, each at most once.
 * @param of `note` tells the user why
 * @returns the refunded credits
 */
export async function refundUnsubmittedJobs(
  database: Database,
  { userId, month, note }: { userId: string; month: Month | null; note: string },
  jobs: { jobId: string; amount: number }[],
): Promise<number> {
  const charged = month === null ? [] : jobs.filter(({ amount }) => amount > 0);
  for (const job of charged) await refundCredits(database, { userId, month: month!, note, ...job });
  return charged.reduce((total, { amount }) => total + amount, 0);
}

/**
 * Refunds a job to the month in which it was charged, at most once. Callers run it in the transaction that ends the
 * job.
 * @param refund `note` tells the user why
 */
export async function refundCredits(
  database: Database,
  { userId, month, amount, jobId, note }: Charge & { note: string },
): Promise<void> {
  await execute(
    database,
    `WITH entry AS (
       INSERT INTO credit_entries (user_id, month, kind, amount, job_id, api_key_id, note)
       VALUES ($1, $2, 'refund', $3, $4,
         (SELECT api_key_id FROM credit_entries WHERE job_id = $4 AND kind = 'charge'), $5)
       ON CONFLICT (job_id, kind) WHERE job_id IS NOT NULL DO NOTHING RETURNING amount
     )
     UPDATE credit_balances b SET balance = b.balance + entry.amount FROM entry
     WHERE b.user_id = $1 AND b.month = $2`,
    [userId, month, amount, jobId, note],
  );
}

async function grantMonth(
  database: Database,
  userId: string,
  month: Month,
  monthlyCredits: number,
): Promise<void> {
  await execute(
    database,
    `WITH opened AS (
       INSERT INTO credit_balances (user_id, month, granted, balance) VALUES ($1, $2, $3, $3)
       ON CONFLICT DO NOTHING RETURNING 1
     )
     INSERT INTO credit_entries (user_id, month, kind, amount, note)
     SELECT $1, $2, 'grant', $3, 'monthly' FROM opened`,
    [userId, month, monthlyCredits],
  );
}

/** Adds credits to the current month on top of the plan's grant. Used by operators. */
export async function grantCredits(
  database: Database,
  userId: string,
  amount: number,
  note: string,
  now: Date = new Date(),
  monthlyCredits = FREE_MONTHLY_CREDITS,
): Promise<void> {
  const month = monthOf(now);
  await grantMonth(database, userId, month, monthlyCredits);
  await execute(
    database,
    `WITH raised AS (
       UPDATE credit_balances SET granted = granted + $3, balance = balance + $3
       WHERE user_id = $1 AND month = $2 RETURNING 1
     )
     INSERT INTO credit_entries (user_id, month, kind, amount, note)
     SELECT $1, $2, 'grant', $3, $4 FROM raised`,
    [userId, month, amount, note],
  );
}

/**
 * Removes credits from the current month. Used by operators. @throws AppError VALIDATION_FAILED if the balance is too
 * low
 */
export async function takeCredits(
  database: Database,
  userId: string,
  amount: number,
  note: string,
  now: Date = new Date(),
  monthlyCredits = FREE_MONTHLY_CREDITS,
): Promise<void> {
  const month = monthOf(now);
  await grantMonth(database, userId, month, monthlyCredits);
  const entries = await execute(
    database,
    `WITH lowered AS (
       UPDATE credit_balances SET granted = granted - $3, balance = balance - $3
       WHERE user_id = $1 AND month = $2 AND balance >= $3 RETURNING 1
     )
     INSERT INTO credit_entries (user_id, month, kind, amount, note)
     SELECT $1, $2, 'adjustment', -$3::integer, $4 FROM lowered`,
    [userId, month, amount, note],
  );
  if (entries === 0)
    throw new AppError('VALIDATION_FAILED', `This user has fewer than ${amount} credits left.`);
}

/**
 * Converts a balance to the API format. Premium has no limit. @param balance balance of the month; null before its
 * grant
 */
export function toCredits(
  balance: Pick<CreditBalanceEntity, 'granted' | 'balance'> | null,
  plan: Plan,
  month: Month,
  monthlyCredits = FREE_MONTHLY_CREDITS,
): Credits {
  const allowance = balance?.granted ?? monthlyCredits;
  const remaining = balance?.balance ?? monthlyCredits;
  const used = allowance - remaining;
  if (plan === 'premium') return { allowance: null, used, remaining: null, renewsAt: null };
  return { allowance, used, remaining, renewsAt: nextMonth(month).toISOString() };
}

export async function readCredits(
  database: Database,
  userId: string,
  plan: Plan,
  now: Date = new Date(),
  monthlyCredits = FREE_MONTHLY_CREDITS,
): Promise<Credits> {
  const month = monthOf(now);
  const balance = await database.getRepository(CreditBalanceEntity).findOneBy({ userId, month });
  return toCredits(balance, plan, month, monthlyCredits);
}

/** @param needed price in credits */
export function insufficientCredits(month: Month, needed = 1): AppError {
  const renewsAt = nextMonth(month);
  const day = renewsAt.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
  const what =
    needed > 1
      ? `This costs ${needed} credits, more than you have left this month.`
      : 'You have used this month’s credits.';
  return new AppError(
    'INSUFFICIENT_CREDITS',
    `${what} They renew on ${day}; the premium plan has no limit.`,
    { details: { renewsAt: renewsAt.toISOString() } },
  );
}
