import { Inject, Module, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { systemClock } from '#libs/config/clock.js';
import { CONFIG } from '#libs/config/config.module.js';
import type { Config } from '#libs/config/environment.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { Batches } from './batches.js';
import { JobCompletion } from './job-completion.js';
import { JobEvents } from './job-events.js';
import { JobReader } from './job-reader.js';
import { JobLifecycle } from './lifecycle.js';
import { QueuePositions } from './queue-positions.js';
import { JobSubmission } from './submission.js';

/** What an api does with jobs for its users: accept them, read them, wait for their end. */
@Module({
  providers: [
    {
      provide: JobReader,
      inject: [DataSource, QueuePositions, CONFIG],
      useFactory: (dataSource: DataSource, positions: QueuePositions, { publicUrl }: Config) =>
        new JobReader(dataSource, positions, publicUrl),
    },
    {
      provide: JobSubmission,
      inject: [DataSource, JobQueue, JobEvents, QueuePositions, StoredFiles, CONFIG],
      useFactory: (
        dataSource: DataSource,
        queue: JobQueue,
        jobEvents: JobEvents,
        positions: QueuePositions,
        files: StoredFiles,
        { jobs, storageQuota }: Config,
      ) =>
        new JobSubmission(
          dataSource,
          queue,
          jobEvents,
          { ...jobs, storageQuota },
          positions,
          logErrors('Jobs'),
          systemClock,
          (keys) => files.deleteMarked(keys),
        ),
    },
    {
      provide: Batches,
      inject: [DataSource, JobLifecycle, JobEvents, CONFIG],
      useFactory: (
        dataSource: DataSource,
        lifecycle: JobLifecycle,
        jobEvents: JobEvents,
        { publicUrl, jobs: { retentionDays } }: Config,
      ) => new Batches({ dataSource, lifecycle, jobEvents, settings: { publicUrl, retentionDays } }),
    },
    {
      provide: JobCompletion,
      inject: [DataSource, SocketServer],
      useFactory: (dataSource: DataSource, live: SocketServer) =>
        new JobCompletion(dataSource, live, logErrors('Jobs')),
    },
  ],
  exports: [JobReader, JobSubmission, Batches, JobCompletion],
})
export class JobRequestsModule implements OnModuleDestroy {
  constructor(@Inject(JobCompletion) private readonly completion: JobCompletion) {}

  /** Requests that wait for a job are answered at once; the job goes on. */
  onModuleDestroy(): void {
    this.completion.close();
  }
}
