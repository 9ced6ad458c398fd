import { Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Config } from '#libs/config/environment.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { JobCompletion } from '#libs/jobs/job-completion.js';
import { JobReader } from '#libs/jobs/job-reader.js';
import { QueuePositions } from '#libs/jobs/queue-positions.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { CONFIG } from '#libs/platform/platform.module.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { JobsController } from './jobs.controller.js';
import { Responder } from './responder.js';

const logger = new Logger('Jobs');
const report = (error: Error) => logger.error(error);

/** A user's jobs over HTTP, and what other resources need to accept work and wait for it. */
@Module({
  controllers: [JobsController],
  providers: [
    Responder,
    {
      provide: JobReader,
      inject: [DataSource, QueuePositions, CONFIG],
      useFactory: (dataSource: DataSource, places: QueuePositions, { publicUrl }: Config) =>
        new JobReader(dataSource, places, publicUrl),
    },
    {
      provide: JobSubmission,
      inject: [DataSource, JobQueue, JobEvents, CONFIG],
      useFactory: (dataSource: DataSource, queue: JobQueue, jobEvents: JobEvents, config: Config) =>
        new JobSubmission(dataSource, queue, jobEvents, config.jobs, report),
    },
    {
      provide: JobCompletion,
      inject: [DataSource, SocketServer],
      useFactory: (dataSource: DataSource, live: SocketServer) => new JobCompletion(dataSource, live, report),
    },
  ],
  exports: [JobSubmission, Responder],
})
export class JobsModule implements OnModuleDestroy {
  constructor(private readonly watch: JobCompletion) {}

  /** Requests that wait for a job are answered at once: the job itself goes on. */
  onModuleDestroy(): void {
    this.watch.close();
  }
}
