import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { ZIP_MINUTES } from '#libs/contract/creations.js';
import { WEBHOOK_LOG_DAYS } from '#libs/contract/webhooks.js';
import { dropPastPartitions } from '#libs/database/partitions.js';
import { execute, queryRow } from '#libs/database/sql.js';
import { runAll } from '#libs/resilience/policies.js';
import {
  OAuthAccessTokenEntity,
  OAuthClientAssertionEntity,
  OAuthClientEntity,
  OAuthRefreshTokenEntity,
} from '#libs/database/entities/connected-apps.js';
import { CreationZipEntity } from '#libs/database/entities/creations.js';
import { ClerkEventEntity, ClerkRemovalEntity } from '#libs/database/entities/clerk.js';
import { CachedAnswerEntity, JobEntity, WorkerSlotsEntity } from '#libs/database/entities/jobs.js';
import {
  AuthSessionEntity,
  AuthVerificationEntity,
  RateLimitEntity,
} from '#libs/database/entities/local-accounts.js';
import { ProviderCallEntity } from '#libs/database/entities/provider-calls.js';
import { PreviewEntity } from '#libs/database/entities/previews.js';
import { WebhookDeliveryEntity } from '#libs/database/entities/webhooks.js';
import type { StoredFiles } from '#libs/storage/stored-files.js';
import { closeOldBatches, deleteOldBatches, type BatchPublishers } from '#libs/batches/batches.js';
import { PROVIDER_CALL_DAYS } from '#libs/costs/lost-calls.js';
import { deleteExpiredCreations } from './deleted-results.js';
import { deleteOldFlows } from '#libs/flows/flow-runs.js';

/** The longest month. With a shorter retention, jobs do not wait for the end of their month. */
const MONTH_DAYS = 31;

/** Entities and SQL conditions of rows to delete. Times are by the database's clock. */
const EXPIRED = [
  // Cached answers of jobs without a creation. Other answers are deleted with the creation.
  [
    CachedAnswerEntity,
    `created_at < now() - interval '7 days' AND NOT EXISTS (SELECT FROM creations WHERE job_id = ANY (job_ids))`,
  ],
  // Users must sign in again after 90 days, even if their session is active.
  [AuthSessionEntity, `"expiresAt" < now() OR "createdAt" < now() - interval '90 days'`],
  [AuthVerificationEntity, `"expiresAt" < now()`],
  [OAuthRefreshTokenEntity, `"expiresAt" < now()`],
  [OAuthAccessTokenEntity, `"expiresAt" < now()`],
  [OAuthClientAssertionEntity, `"expiresAt" < now()`],
  // Apps that registered themselves, and that nobody has allowed.
  [
    OAuthClientEntity,
    `"referenceId" IS NULL AND "createdAt" < now() - interval '1 day'
     AND NOT EXISTS (SELECT FROM auth_oauth_consents AS c WHERE c."clientId" = auth_oauth_clients."clientId")`,
  ],
  [RateLimitEntity, `expire < extract(epoch FROM now()) * 1000`],
  // These rows detect repeated and late webhook events, so they are kept for 30 days.
  [ClerkEventEntity, `received_at < now() - interval '30 days'`],
  [ClerkRemovalEntity, `user_id IS NULL AND removed_at < now() - interval '30 days'`],
  [CreationZipEntity, `created_at < now() - interval '${ZIP_MINUTES} minutes'`],
  // Previews that stayed because the API process of their request was killed.
  [PreviewEntity, `created_at < now() - interval '1 hour'`],
  [WebhookDeliveryEntity, `created_at < now() - interval '${WEBHOOK_LOG_DAYS} days'`],
  // In the first and the default partition, which are not dropped with their month.
  [ProviderCallEntity, `started_at < now() - interval '${PROVIDER_CALL_DAYS + MONTH_DAYS} days'`],
  [WorkerSlotsEntity, `seen_at < now() - interval '1 hour'`],
] as const;

/**
 * Deletes expired rows, then files without references.
 * @param options `retentionDays`: days after which ended jobs are deleted; their creations stay
 * @param events publishes the changes to users
 */
export async function applyRetention(
  dataSource: DataSource,
  files: StoredFiles,
  { retentionDays }: { retentionDays: number },
  events?: BatchPublishers,
): Promise<void> {
  await dataSource
    .createQueryBuilder()
    .update(JobEntity)
    .set({ input: () => 'NULL' })
    .where(`input IS NOT NULL AND finished_at < now() - interval '7 days'`)
    .execute();
  await closeOldBatches(dataSource, retentionDays, events);
  await deleteOldBatches(dataSource, retentionDays);
  await deleteOldFlows(dataSource, retentionDays);
  // These run even if a month cannot be dropped.
  await runAll([
    () => dropPastPartitions(dataSource, 'provider_calls', { days: PROVIDER_CALL_DAYS }),
    () => dropOldJobs(dataSource, retentionDays),
    () => deleteOldJobs(dataSource, retentionDays),
    async () => {
      await deleteExpiredCreations(dataSource);
      for (const [entity, expired] of EXPIRED)
        await dataSource.createQueryBuilder().delete().from<object>(entity).where(expired).execute();
      await files.sweep();
    },
  ]);
}

/** Maximum number of rows changed by one statement, so that locks are short. */
const ROWS_AT_ONCE = 1_000;

/** Drops months of jobs that all ended before the retention time. */
async function dropOldJobs(dataSource: DataSource, days: number): Promise<void> {
  const keptRows = `finished_at IS NULL OR finished_at >= now() - interval '${days} days'`;
  await dropPastPartitions(dataSource, 'jobs', { days, keptRows }, (partition) =>
    forgetJobs(dataSource, partition),
  );
}

/**
 * Deletes jobs that are a month older than the retention time: those of a month with a job that ended late, and those in the first
 * or the default partition.
 */
async function deleteOldJobs(dataSource: DataSource, days: number): Promise<void> {
  const deleteSome = () =>
    execute(
      dataSource,
      `DELETE FROM jobs WHERE created_at < now() - make_interval(days => $1) AND id IN (
         SELECT id FROM jobs
         WHERE created_at < now() - make_interval(days => $1) AND finished_at < now() - make_interval(days => $1)
         LIMIT ${ROWS_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
      [days < MONTH_DAYS ? days : days + MONTH_DAYS],
    );
  while ((await deleteSome()) === ROWS_AT_ONCE);
}

/** Sets `creations.job_id` of the jobs of a partition to NULL, in the order of the jobs' ids, so that each is read once. */
async function forgetJobs(dataSource: DataSource, partition: string): Promise<void> {
  let last: { id: string } | undefined = { id: '00000000-0000-0000-0000-000000000000' };
  while (last)
    last = await queryRow(
      dataSource,
      z.object({ id: z.string() }),
      `WITH old AS (SELECT id FROM ${partition} WHERE id > $1 ORDER BY id LIMIT ${ROWS_AT_ONCE}),
         forgotten AS (UPDATE creations SET job_id = NULL FROM old WHERE job_id = old.id)
       SELECT id FROM old ORDER BY id DESC LIMIT 1`,
      [last.id],
    );
}
