import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass, value } from '#libs/config/provide-class.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { BatchEvents } from './batch-events.js';
import { Batches } from './batches.js';

const settings = value(({ publicUrl, jobs: { retentionDays } }) => ({ publicUrl, retentionDays }));

/** Provides batches to api and worker. */
@Global()
@Module({
  providers: [
    provideClass(BatchEvents, [
      DataSource,
      SocketServer,
      JobEvents,
      settings,
      value(() => logErrors('Batch events')),
    ]),
    provideClass(Batches, {
      dataSource: DataSource,
      submission: JobSubmission,
      budgets: ProviderBudgets,
      lifecycle: JobLifecycle,
      batchEvents: BatchEvents,
      accountEvents: AccountEvents,
      storageQuota: value(({ storageQuota }) => storageQuota),
      settings,
      prices: value(({ prices }) => prices),
    }),
  ],
  exports: [BatchEvents, Batches],
})
export class BatchesModule {}
