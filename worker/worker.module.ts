import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { DataSource } from 'typeorm';
import { createClerkApi } from '#libs/accounts/clerk/api.js';
import { ClerkSync } from '#libs/accounts/clerk/sync.js';
import { ClerkUsers } from '#libs/accounts/clerk/users.js';
import { createEngine } from '#libs/ai/create-engine.js';
import type { ClerkConfig } from '#libs/config/clerk.js';
import type { Config } from '#libs/config/environment.js';
import { createDocuments } from '#libs/documents/create-documents.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { AnswerCache } from '#libs/jobs/answer-cache.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { JobRunner } from '#libs/jobs/job-runner.js';
import { QueueOrder } from '#libs/jobs/queue-order.js';
import { Reconciler } from '#libs/jobs/reconciler.js';
import { onScrape } from '#libs/observability/metrics.js';
import { createLogger } from '#libs/platform/logger.js';
import { PlatformModule } from '#libs/platform/platform.module.js';
import { reportTo } from '#libs/platform/report.js';
import { Readiness } from '#libs/platform/readiness.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { handlers } from '#libs/tools/handlers.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { JobLog, observeBreakers } from './job-log.js';
import { Maintenance } from './maintenance.js';
import { Processor } from './processor.js';

/** A worker: takes jobs, runs their tools, and keeps the queue and the job table agreed. It serves no user. */
@Module({})
export class WorkerModule {
  static for(config: Config): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        PlatformModule.for('worker', config),
        LoggerModule.forRoot({ pinoHttp: { logger: createLogger(config.logLevel, 'worker') } }),
      ],
      providers: [
        JobLog,
        {
          provide: JobRunner,
          inject: [JobLifecycle, SocketServer, DataSource, StoredFiles, JobLog],
          useFactory: (
            lifecycle: JobLifecycle,
            live: SocketServer,
            dataSource: DataSource,
            files: StoredFiles,
            log: JobLog,
          ) => {
            const engine = createEngine(config.ai, log);
            onScrape(() => observeBreakers(engine));
            return new JobRunner({
              lifecycle,
              live,
              engine,
              handlers,
              services: {
                files,
                documents: createDocuments(dataSource, files),
                answers: new AnswerCache(dataSource),
              },
              log,
              ...config.jobs,
            });
          },
        },
        {
          provide: Reconciler,
          inject: [DataSource, JobQueue],
          useFactory: (dataSource: DataSource, queue: JobQueue) => new Reconciler(dataSource, queue),
        },
        {
          provide: QueueOrder,
          inject: [DataSource, JobQueue],
          useFactory: (dataSource: DataSource, queue: JobQueue) =>
            new QueueOrder(dataSource, queue, config.jobs.standardWaitSeconds),
        },
        {
          provide: ClerkSync,
          inject: [DataSource, JobEvents],
          useFactory: (dataSource: DataSource, jobEvents: JobEvents) =>
            config.accounts.kind === 'clerk' ? createClerkSync(config.accounts, dataSource, jobEvents) : null,
        },
        Readiness,
        Processor,
        Maintenance,
      ],
    };
  }
}

/** Takes work from now on. Only a process that hears signals may: one that does not is ended with its jobs in hand. */
export function startWork(worker: INestApplicationContext): void {
  worker.get(Maintenance).start();
  worker.get(Processor).start();
}

const createClerkSync = (clerk: ClerkConfig, dataSource: DataSource, jobEvents: JobEvents) =>
  new ClerkSync(
    dataSource,
    new ClerkUsers(dataSource, clerk.premiumPlan),
    createClerkApi(clerk),
    (userId) => jobEvents.accountChanged(userId),
    reportTo('Clerk'),
  );
