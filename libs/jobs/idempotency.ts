import type { Database, Transaction } from '#libs/database/sql.js';
import { createHash } from 'node:crypto';
import { Not, type FindOptionsWhere } from 'typeorm';
import { AppError } from '#libs/contract/errors.js';
import type { BatchEntity } from '#libs/database/entities/batches.js';
import type { FlowEntity } from '#libs/database/entities/flows.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import type { LockedFile } from './submitted-files.js';

/**
 * Finds the batch or flow that was stored with an Idempotency-Key in the last 24 hours or has not ended. If another one has the
 * key, removes the key from it, so that the key can be used again.
 * @param hasEnded SQL condition
 * @throws AppError IDEMPOTENCY_MISMATCH if the key was used for a different request
 */
export async function findByIdempotencyKey<E extends BatchEntity | FlowEntity>(
  transaction: Transaction,
  entity: new () => E,
  hasEnded: string,
  { requestHash, ...key }: { userId: string; idempotencyKey: string; requestHash: string },
): Promise<E | null> {
  await transaction
    .createQueryBuilder()
    .update<BatchEntity | FlowEntity>(entity)
    .set({ idempotencyKey: null })
    .where(key)
    .andWhere(`created_at < now() - interval '24 hours' AND ${hasEnded}`)
    .execute();
  const found = await transaction.findOneBy<E>(entity, key as FindOptionsWhere<E>);
  if (found && found.requestHash !== requestHash) throw idempotencyMismatch();
  return found;
}

export const idempotencyMismatch = () =>
  new AppError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used for another request. Use a new key.');

/** Reads all jobs that were created by the same request as `job`, in the request's order. */
export async function readGroup(database: Database, job: JobEntity): Promise<[JobEntity, ...JobEntity[]]> {
  if (job.groupId === null) return [job];
  const others = await database.getRepository(JobEntity).find({
    where: { groupId: job.groupId, id: Not(job.id) },
    order: { createdAt: 'ASC', virtualStart: 'ASC' },
  });
  return [job, ...others];
}

/** Hashes tool, input and file contents. The order of the input's keys doesn't matter. */
export function hashRequest(
  tool: string,
  input: unknown,
  files: Pick<LockedFile, 'field' | 'sha256'>[],
): string {
  const contents = files.map(({ field, sha256 }) => `${field} ${sha256}`);
  return createHash('sha256')
    .update([tool, stableJson(input), ...contents].join('\n'))
    .digest('hex');
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
