import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { BatchEvents } from './batch-events.js';
import { Batches } from './batches.js';

/** Batches of pictures, in api and worker. */
@Global()
@Module({
  providers: [
    {
      provide: BatchEvents,
      inject: [DataSource, SocketServer, JobEvents, CONFIG],
      useFactory: (
        dataSource: DataSource,
        live: SocketServer,
        jobEvents: JobEvents,
        { publicUrl, jobs: { retentionDays } }: Config,
      ) =>
        new BatchEvents(dataSource, live, jobEvents, { publicUrl, retentionDays }, logErrors('Batch events')),
    },
    {
      provide: Batches,
      inject: [DataSource, JobSubmission, JobLifecycle, BatchEvents, AccountEvents, CONFIG],
      useFactory: (
        dataSource: DataSource,
        submission: JobSubmission,
        lifecycle: JobLifecycle,
        batchEvents: BatchEvents,
        accountEvents: AccountEvents,
        { publicUrl, jobs: { retentionDays } }: Config,
      ) =>
        new Batches({
          ...{ dataSource, submission, lifecycle, batchEvents, accountEvents },
          settings: { publicUrl, retentionDays },
        }),
    },
  ],
  exports: [BatchEvents, Batches],
})
export class BatchesModule {}
