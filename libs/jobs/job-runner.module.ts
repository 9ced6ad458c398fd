import { Module, type DynamicModule } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { DataSource } from 'typeorm';
import { AiModule, ENGINE } from '#libs/ai/ai.module.js';
import type { Engine } from '#libs/ai/engine.js';
import { CONFIG } from '#libs/config/config.module.js';
import type { Config } from '#libs/config/environment.js';
import { DOCUMENTS, DocumentsModule } from '#libs/documents/documents.module.js';
import type { Documents } from '#libs/documents/documents.js';
import { PassageEmbedder } from '#libs/documents/passage-embedder.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { LocalModels } from '#libs/models/local-models.js';
import { ModelsModule } from '#libs/models/models.module.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { AnswerCache } from './answer-cache.js';
import { JobLog } from './job-log.js';
import { JobRunner } from './job-runner.js';
import { JobLifecycle } from './lifecycle.js';
import { QueueOrder } from './queue-order.js';
import { Reconciler } from './reconciler.js';
import { RunTimes } from './run-times.js';
import type { ToolHandlers } from './tool-handler.js';

/** What a worker does with jobs: run their tools, and keep the queues agreed with the job table. */
@Module({})
export class JobRunnerModule {
  static forRoot(handlers: ToolHandlers): DynamicModule {
    return {
      module: JobRunnerModule,
      imports: [AiModule, DocumentsModule, ModelsModule],
      providers: [
        {
          provide: PassageEmbedder,
          inject: [LocalModels, DOCUMENTS, PinoLogger],
          useFactory: (models: LocalModels, { vectors }: Documents, logger: PinoLogger) =>
            new PassageEmbedder({
              models,
              vectors,
              log: (error) =>
                logger.warn(
                  { err: error },
                  'A document is not read for its meaning until its next question.',
                ),
            }),
        },
        {
          provide: JobRunner,
          inject: [
            CONFIG,
            JobLifecycle,
            SocketServer,
            ENGINE,
            StoredFiles,
            DOCUMENTS,
            DataSource,
            PinoLogger,
            LocalModels,
            PassageEmbedder,
          ],
          useFactory: (
            { jobs, engines, storageQuota: quota }: Config,
            lifecycle: JobLifecycle,
            live: SocketServer,
            engine: Engine,
            files: StoredFiles,
            documents: Documents,
            dataSource: DataSource,
            logger: PinoLogger,
            models: LocalModels,
            embedder: PassageEmbedder,
          ) => {
            const answers = new AnswerCache(dataSource);
            const times = new RunTimes(dataSource);
            const services = { files, documents, answers, quota, models, embedder };
            return new JobRunner({
              lifecycle,
              live,
              engine,
              handlers,
              engines,
              services,
              expect: (tool, engine, size) => times.expect(tool, engine, size),
              log: new JobLog(logger),
              ...jobs,
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
          inject: [DataSource, JobQueue, SocketServer, CONFIG],
          useFactory: (dataSource: DataSource, queue: JobQueue, live: SocketServer, { jobs }: Config) =>
            new QueueOrder(dataSource, queue, live, jobs.standardWaitSeconds),
        },
      ],
      exports: [JobRunner, Reconciler, QueueOrder],
    };
  }
}
