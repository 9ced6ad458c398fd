import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass, value, valueFrom } from '#libs/config/provide-class.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { RECLAIM_STORAGE } from '#libs/billing/storage-quota.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { QueuePositions } from '#libs/scheduling/queue-positions.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { JobEvents } from './job-events.js';
import { JobLifecycle } from './lifecycle.js';
import { JobSubmission } from './submission.js';

/** Accepts jobs, changes their status, and publishes the changes. Used by api and worker. */
@Global()
@Module({
  providers: [
    provideClass(JobEvents, [
      DataSource,
      SocketServer,
      QueuePositions,
      value(() => logErrors('Job events')),
      value(({ publicUrl }) => publicUrl),
    ]),
    provideClass(JobSubmission, {
      dataSource: DataSource,
      queue: JobQueue,
      jobEvents: JobEvents,
      accountEvents: AccountEvents,
      positions: QueuePositions,
      reclaimStorage: RECLAIM_STORAGE,
      budgets: ProviderBudgets,
      prices: value(({ prices }) => prices),
      deleteFiles: valueFrom(StoredFiles, (files) => (keys: string[]) => files.deleteMarked(keys)),
      limits: value(({ jobs, storageQuota }) => ({ ...jobs, storageQuota })),
      onError: value(() => logErrors('Jobs')),
    }),
    provideClass(JobLifecycle, {
      dataSource: DataSource,
      queue: JobQueue,
      live: SocketServer,
      jobEvents: JobEvents,
      accountEvents: AccountEvents,
      onError: value(() => logErrors('Jobs')),
    }),
  ],
  exports: [JobEvents, JobSubmission, JobLifecycle],
})
export class JobsModule {}
