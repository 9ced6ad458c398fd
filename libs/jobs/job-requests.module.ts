import { Inject, Module, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG } from '#libs/config/config.module.js';
import type { Config } from '#libs/config/environment.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { Batches } from './batches.js';
import { FlowRuns } from './flow-runs.js';
import { Flows } from './flows.js';
import { JobCompletion } from './job-completion.js';
import { JobEvents } from './job-events.js';
import { JobReader } from './job-reader.js';
import { JobLifecycle } from './lifecycle.js';
import { QueuePositions } from './queue-positions.js';

/** What an api does with jobs for its users: read them, wait for their end, and take many at once. */
@Module({
  providers: [
    {
      provide: JobReader,
      inject: [DataSource, QueuePositions, CONFIG],
      useFactory: (dataSource: DataSource, positions: QueuePositions, { publicUrl }: Config) =>
        new JobReader(dataSource, positions, publicUrl),
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
      provide: Flows,
      inject: [DataSource, JobLifecycle, FlowRuns, JobEvents],
      useFactory: (dataSource: DataSource, lifecycle: JobLifecycle, runs: FlowRuns, jobEvents: JobEvents) =>
        new Flows({ dataSource, lifecycle, runs, jobEvents }),
    },
    {
      provide: JobCompletion,
      inject: [DataSource, SocketServer],
      useFactory: (dataSource: DataSource, live: SocketServer) =>
        new JobCompletion(dataSource, live, logErrors('Jobs')),
    },
  ],
  exports: [JobReader, Batches, Flows, JobCompletion],
})
export class JobRequestsModule implements OnModuleDestroy {
  constructor(@Inject(JobCompletion) private readonly completion: JobCompletion) {}

  /** Requests that wait for a job are answered at once; the job goes on. */
  onModuleDestroy(): void {
    this.completion.close();
  }
}
