import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { systemClock } from '#libs/config/clock.js';
import { CONFIG } from '#libs/config/config.module.js';
import type { Config } from '#libs/config/environment.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { FlowRuns } from './flow-runs.js';
import { JobEvents } from './job-events.js';
import { JobLifecycle } from './lifecycle.js';
import { MissedEnds } from './missed-ends.js';
import { QueuePauses } from './queue-pauses.js';
import { QueuePositions } from './queue-positions.js';
import { JobSubmission } from './submission.js';

/** What api and worker do with jobs: accept them, change their status, publish their changes, pause their queues. */
@Global()
@Module({
  providers: [
    {
      provide: QueuePositions,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new QueuePositions(dataSource),
    },
    {
      provide: JobEvents,
      inject: [DataSource, SocketServer, QueuePositions, CONFIG],
      useFactory: (
        dataSource: DataSource,
        live: SocketServer,
        positions: QueuePositions,
        { storageQuota, publicUrl, jobs }: Config,
      ) =>
        new JobEvents(dataSource, live, positions, storageQuota, logErrors('Job events'), {
          publicUrl,
          retentionDays: jobs.retentionDays,
        }),
    },
    {
      provide: MissedEnds,
      inject: [DataSource, SocketServer, JobEvents],
      useFactory: (dataSource: DataSource, live: SocketServer, jobEvents: JobEvents) =>
        new MissedEnds(dataSource, live, jobEvents),
    },
    { provide: AccountEvents, useExisting: JobEvents },
    {
      provide: QueuePauses,
      inject: [DataSource, JobQueue],
      useFactory: (dataSource: DataSource, queue: JobQueue) =>
        new QueuePauses(dataSource, queue, logErrors('Queue')),
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
      provide: FlowRuns,
      inject: [DataSource, JobSubmission, JobEvents],
      useFactory: (dataSource: DataSource, submission: JobSubmission, jobEvents: JobEvents) =>
        new FlowRuns({ dataSource, submission, jobEvents, onError: logErrors('Flows') }),
    },
    {
      provide: JobLifecycle,
      inject: [DataSource, JobQueue, SocketServer, JobEvents, FlowRuns],
      useFactory: (
        dataSource: DataSource,
        queue: JobQueue,
        live: SocketServer,
        jobEvents: JobEvents,
        flows: FlowRuns,
      ) => new JobLifecycle({ dataSource, queue, live, jobEvents, flows, onError: logErrors('Jobs') }),
    },
  ],
  exports: [
    QueuePositions,
    JobEvents,
    MissedEnds,
    AccountEvents,
    QueuePauses,
    JobSubmission,
    FlowRuns,
    JobLifecycle,
  ],
})
export class JobsModule {}
