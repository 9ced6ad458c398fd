import { Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Config } from '#libs/config/environment.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { Announcements } from '#libs/jobs/announcements.js';
import { EndWatch } from '#libs/jobs/end-watch.js';
import { JobReader } from '#libs/jobs/job-reader.js';
import { Places } from '#libs/jobs/places.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { CONFIG } from '#libs/platform/platform.module.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { JobsController } from './jobs.controller.js';
import { Responder } from './responder.js';

const logger = new Logger('Jobs');
const report = (error: Error) => logger.error(error);

/** A person's jobs over HTTP, and what other resources need to accept work and wait for it. */
@Module({
  controllers: [JobsController],
  providers: [
    Responder,
    {
      provide: JobReader,
      inject: [DataSource, Places, CONFIG],
      useFactory: (dataSource: DataSource, places: Places, { publicUrl }: Config) =>
        new JobReader(dataSource, places, publicUrl),
    },
    {
      provide: JobSubmission,
      inject: [DataSource, JobQueue, Announcements, CONFIG],
      useFactory: (dataSource: DataSource, queue: JobQueue, announcements: Announcements, config: Config) =>
        new JobSubmission(dataSource, queue, announcements, config.jobs, report),
    },
    {
      provide: EndWatch,
      inject: [DataSource, SocketServer],
      useFactory: (dataSource: DataSource, live: SocketServer) => new EndWatch(dataSource, live, report),
    },
  ],
  exports: [JobSubmission, Responder],
})
export class JobsModule implements OnModuleDestroy {
  constructor(private readonly watch: EndWatch) {}

  /** Requests that wait for a job are answered at once: the job itself goes on. */
  onModuleDestroy(): void {
    this.watch.close();
  }
}
