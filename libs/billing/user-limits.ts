import { z } from 'zod';
import type { UserLimits } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { UserLimitsEntity } from '#libs/database/entities/users.js';
import { execute, isoTime, queryRow, type Database, type Transaction } from '#libs/database/sql.js';

const limitsSchema = z.object({
  unfinishedJobs: z.number().nullable(),
  storageBytes: z.coerce.number().nullable(),
  until: isoTime,
});

/** Limits that an operator gave the user, until their time is over. */
export const readUserLimits = (database: Database, userId: string): Promise<UserLimits | undefined> =>
  queryRow(
    database,
    limitsSchema,
    `SELECT unfinished_jobs AS "unfinishedJobs", storage_bytes AS "storageBytes", until
     FROM user_limits WHERE user_id = $1 AND until > now()`,
    [userId],
  );

/** @returns false if the user had the same. @throws AppError VALIDATION_FAILED if they would end in the past, or in more than a year */
export async function setUserLimits(
  transaction: Transaction,
  userId: string,
  { unfinishedJobs, storageBytes, until }: UserLimits,
): Promise<boolean> {
  const time = await queryRow(
    transaction,
    z.object({ isPossible: z.boolean() }),
    `SELECT $1::timestamptz > now() AND $1::timestamptz < now() + interval '1 year 1 day' AS "isPossible"`,
    [until],
  );
  if (!time!.isPossible) {
    const message = 'Choose a time within the next year.';
    throw new AppError('VALIDATION_FAILED', message, { details: [{ field: 'limits.until', message }] });
  }
  const changed = await execute(
    transaction,
    `INSERT INTO user_limits (user_id, unfinished_jobs, storage_bytes, until) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id) DO UPDATE SET unfinished_jobs = $2, storage_bytes = $3, until = $4
     WHERE (user_limits.unfinished_jobs, user_limits.storage_bytes, user_limits.until)
       IS DISTINCT FROM (excluded.unfinished_jobs, excluded.storage_bytes, excluded.until)`,
    [userId, unfinishedJobs, storageBytes, until],
  );
  return changed === 1;
}

/** @returns false if the user had none */
export const endUserLimits = async (transaction: Transaction, userId: string): Promise<boolean> =>
  (await transaction.delete(UserLimitsEntity, { userId })).affected === 1;

export const deletePastUserLimits = (database: Database): Promise<number> =>
  execute(database, `DELETE FROM user_limits WHERE until < now()`);
