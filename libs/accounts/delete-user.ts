import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import { In, Raw, type DataSource } from 'typeorm';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { AuthUserEntity, AuthVerificationEntity } from '#libs/database/entities/local-accounts.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { execute, isDeadlock, type Transaction } from '#libs/database/sql.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';

/** Retries after a deadlock: concurrent work of the user, such as a job, may lock the same rows in another order. */
const onDeadlock = retry(handleWhen(isDeadlock), { maxAttempts: 5, backoff: new ConstantBackoff(100) });

/** A job of a deleted user that was queued or running. */
export type RemovedJob = Pick<JobEntity, 'id' | 'queue'>;

/** Work of the caller in the transaction of a deletion, called again if the transaction is repeated after a deadlock. */
export interface DeletionSteps {
  first?: (transaction: Transaction) => Promise<void>;
  /** Once the user's row is locked. @param user null for an unknown user */
  locked?: (transaction: Transaction, user: UserEntity | null) => Promise<void>;
  /** After all rows are deleted. */
  last?: (transaction: Transaction) => Promise<void>;
  /** Once the files are gone, after the transaction. Not called if that failed: retention then deletes them. */
  filesDeleted?: () => Promise<void>;
}

/**
 * Deletes all rows of a user, including the local account, in one transaction. Stored objects are only marked for deletion:
 * a sweep deletes their bytes. Has no effect for an unknown user.
 * @returns jobs that are still in a queue or running. The caller should remove and stop them.
 */
export async function deleteUser(
  dataSource: DataSource,
  files: StoredFiles,
  userId: string,
  steps: DeletionSteps = {},
): Promise<RemovedJob[]> {
  return onDeadlock.execute(() =>
    dataSource.transaction(async (transaction) => {
      await steps.first?.(transaction);
      const removed = await deleteRows(transaction, files, userId, steps.locked);
      await steps.last?.(transaction);
      return removed;
    }),
  );
}

async function deleteRows(
  transaction: Transaction,
  files: StoredFiles,
  userId: string,
  locked: DeletionSteps['locked'],
): Promise<RemovedJob[]> {
  // Jobs before the user: the end of a job locks in this order too, and another order could deadlock with it.
  await transaction.find(JobEntity, {
    select: { id: true },
    where: { userId, status: In(['queued', 'running']) },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  // Submissions lock this row too, so no job is added after the query below.
  const user = await transaction.findOne(UserEntity, {
    where: { id: userId },
    lock: { mode: 'pessimistic_write' },
  });
  await locked?.(transaction, user);
  const unfinished = await transaction.find(JobEntity, {
    select: { id: true, queue: true },
    where: { userId, status: In(['queued', 'running']) },
  });
  await files.markAllForDeletion(transaction, userId);
  const account = await transaction.findOneBy(AuthUserEntity, { id: userId });
  // The row of an unfinished passkey registration contains the user's id within a JSON value.
  await transaction.delete(AuthVerificationEntity, {
    value: Raw((value) => `position(:userId IN ${value}) > 0`, { userId }),
  });
  if (account) await transaction.delete(AuthVerificationEntity, { identifier: account.email });
  // A worker then deletes the customer at Stripe, which ends its subscriptions.
  await execute(
    transaction,
    `INSERT INTO stripe_removals (customer_id)
     SELECT * FROM (SELECT "stripeCustomerId" AS id FROM auth_users WHERE "id" = $1 FOR UPDATE) AS customer WHERE id IS NOT NULL
     ON CONFLICT DO NOTHING`,
    [userId],
  );
  await transaction.delete(AuthUserEntity, { id: userId });
  await transaction.delete(UserEntity, { id: userId });
  return unfinished;
}
