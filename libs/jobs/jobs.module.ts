import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { RECLAIM_STORAGE, type ReclaimStorage } from '#libs/billing/storage-quota.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { QueuePositions } from '#libs/scheduling/queue-positions.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { JobEvents } from './job-events.js';
import { JobLifecycle } from './lifecycle.js';
import { JobSubmission } from './submission.js';

/** Accepts jobs, changes their status, and publishes the changes, in api and worker. */
@Global()
@Module({
  providers: [
    {
      provide: JobEvents,
      inject: [DataSource, SocketServer, QueuePositions, CONFIG],
      useFactory: (
        dataSource: DataSource,
        live: SocketServer,
        positions: QueuePositions,
        { publicUrl }: Config,
      ) => new JobEvents(dataSource, live, positions, logErrors('Job events'), publicUrl),
    },
    {
      provide: JobSubmission,
      inject: [
        DataSource,
        JobQueue,
        JobEvents,
        AccountEvents,
        QueuePositions,
        StoredFiles,
        RECLAIM_STORAGE,
        CONFIG,
      ],
      useFactory: (
        dataSource: DataSource,
        queue: JobQueue,
        jobEvents: JobEvents,
        accountEvents: AccountEvents,
        positions: QueuePositions,
        files: StoredFiles,
        reclaimStorage: ReclaimStorage,
        { jobs, storageQuota }: Config,
      ) =>
        new JobSubmission({
          ...{ dataSource, queue, jobEvents, accountEvents, positions, reclaimStorage },
          limits: { ...jobs, storageQuota },
          deleteFiles: (keys) => files.deleteMarked(keys),
          onError: logErrors('Jobs'),
        }),
    },
    {
      provide: JobLifecycle,
      inject: [DataSource, JobQueue, SocketServer, JobEvents, AccountEvents],
      useFactory: (
        dataSource: DataSource,
        queue: JobQueue,
        live: SocketServer,
        jobEvents: JobEvents,
        accountEvents: AccountEvents,
      ) =>
        new JobLifecycle({ dataSource, queue, live, jobEvents, accountEvents, onError: logErrors('Jobs') }),
    },
  ],
  exports: [JobEvents, JobSubmission, JobLifecycle],
})
export class JobsModule {}
