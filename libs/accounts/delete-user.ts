import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import { In, Raw, type DataSource, type EntityManager } from 'typeorm';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { AuthUserEntity, AuthVerificationEntity } from '#libs/database/entities/local-accounts.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { isDeadlock } from '#libs/database/sql.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';

/** Concurrent work of the user, such as a claimed job, may lock the same rows in another order. */
const onDeadlock = retry(handleWhen(isDeadlock), { maxAttempts: 5, backoff: new ConstantBackoff(100) });

/** An unfinished job of a deleted user. */
export type RemovedJob = Pick<JobEntity, 'id' | 'queue'>;

/**
 * Deletes all rows of a user in one transaction, including those of a local account. The rows of stored objects stay,
 * without their user, until their bytes are deleted. Deleting an unknown user has no effect.
 * @param first runs first in the transaction, and again after a deadlock
 * @returns the jobs that a queue or a worker may still hold
 */
export async function deleteUser(
  dataSource: DataSource,
  files: StoredFiles,
  userId: string,
  first: (transaction: EntityManager) => Promise<void> = async () => undefined,
): Promise<RemovedJob[]> {
  return onDeadlock.execute(() =>
    dataSource.transaction(async (transaction) => {
      await first(transaction);
      return deleteRows(transaction, files, userId);
    }),
  );
}

async function deleteRows(
  transaction: EntityManager,
  files: StoredFiles,
  userId: string,
): Promise<RemovedJob[]> {
  // In the order of a job's end, which locks the job and then, for its creation, the user: else one of the two fails.
  await transaction.find(JobEntity, {
    select: { id: true },
    where: { userId, status: In(['queued', 'running']) },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  // Submissions lock this row too: none is stored in between.
  await transaction.findOne(UserEntity, { where: { id: userId }, lock: { mode: 'pessimistic_write' } });
  const unfinished = await transaction.find(JobEntity, {
    select: { id: true, queue: true },
    where: { userId, status: In(['queued', 'running']) },
  });
  await files.markAllForDeletion(transaction, userId);
  const account = await transaction.findOneBy(AuthUserEntity, { id: userId });
  // A passkey that is being added has the user's id and address among other values.
  await transaction.delete(AuthVerificationEntity, {
    value: Raw((value) => `position(:userId IN ${value}) > 0`, { userId }),
  });
  if (account) await transaction.delete(AuthVerificationEntity, { identifier: account.email });
  await transaction.delete(AuthUserEntity, { id: userId });
  await transaction.delete(UserEntity, { id: userId });
  return unfinished;
}
