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

/** @throws AppError VALIDATION_FAILED if they would end in the past, or in more than a year */
export async function setUserLimits(
  transaction: Transaction,
  userId: string,
  { unfinishedJobs, storageBytes, until }: UserLimits,
): Promise<void> {
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
  await transaction.upsert(
    UserLimitsEntity,
    { userId, unfinishedJobs, storageBytes: storageBytes === null ? null : String(storageBytes), until },
    ['userId'],
  );
}

export const endUserLimits = (transaction: Transaction, userId: string): Promise<unknown> =>
  transaction.delete(UserLimitsEntity, { userId });

export const deletePastUserLimits = (database: Database): Promise<number> =>
  execute(database, `DELETE FROM user_limits WHERE until < now()`);
