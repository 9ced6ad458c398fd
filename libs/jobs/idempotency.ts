import type { Transaction } from '#libs/database/sql.js';
import { createHash } from 'node:crypto';
import { AppError } from '#libs/contract/errors.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import type { LockedFile } from './submitted-files.js';

/**
 * The job that an Idempotency-Key names, if one was stored with it in the last 24 hours. An older job gives the key up.
 * @throws AppError IDEMPOTENCY_MISMATCH when the key was used for another request
 */
export async function findByIdempotencyKey(
  transaction: Transaction,
  userId: string,
  idempotencyKey: string,
  requestHash: string,
): Promise<JobEntity | null> {
  await transaction
    .createQueryBuilder()
    .update(JobEntity)
    .set({ idempotencyKey: null })
    .where({ userId, idempotencyKey })
    .andWhere(`created_at < now() - interval '24 hours'`)
    .execute();
  const job = await transaction.findOneBy(JobEntity, { userId, idempotencyKey });
  if (job && job.requestHash !== requestHash) {
    throw new AppError(
      'IDEMPOTENCY_MISMATCH',
      'This Idempotency-Key was used for another request. Use a new key.',
    );
  }
  return job;
}

/** Identifies a request by its content, that of its files included, whatever the order of its keys. */
export function hashRequest(tool: string, input: unknown, files: LockedFile[]): string {
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
