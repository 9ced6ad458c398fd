import type { DataSource } from 'typeorm';
import { ZIP_MINUTES } from '#libs/contract/creations.js';
import { WEBHOOK_LOG_DAYS } from '#libs/contract/webhooks.js';
import { execute, type Database } from '#libs/database/sql.js';
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
  [ProviderCallEntity, `started_at < now() - interval '${PROVIDER_CALL_DAYS} days'`],
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
  await deleteOldJobs(dataSource, retentionDays);
  await deleteExpiredCreations(dataSource);
  for (const [entity, expired] of EXPIRED)
    await dataSource.createQueryBuilder().delete().from<object>(entity).where(expired).execute();
  await files.sweep();
}

/** Maximum number of jobs deleted by one statement, so that locks are short. */
const JOBS_AT_ONCE = 1_000;

async function deleteOldJobs(database: Database, days: number): Promise<void> {
  for (;;) {
    const deleted = await execute(
      database,
      `DELETE FROM jobs WHERE id IN (
         SELECT id FROM jobs
         WHERE created_at < now() - make_interval(days => $1) AND finished_at < now() - make_interval(days => $1)
         LIMIT ${JOBS_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
      [days],
    );
    if (deleted < JOBS_AT_ONCE) return;
  }
}
