import { Module, type DynamicModule } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { DataSource } from 'typeorm';
import { AiModule, ENGINE } from '#libs/ai/ai.module.js';
import type { Engine } from '#libs/ai/engine.js';
import { ImageSupport } from '#libs/ai/image-support.js';
import { ImageSupportModule } from '#libs/ai/image-support.module.js';
import { RECLAIM_STORAGE, type ReclaimStorage } from '#libs/billing/storage-quota.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { provideClass, valueFrom } from '#libs/config/provide-class.js';
import { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { ProviderCalls } from '#libs/costs/provider-calls.js';
import { DOCUMENTS, DocumentsModule } from '#libs/documents/documents.module.js';
import type { Documents } from '#libs/documents/documents.js';
import { PassageEmbedder } from '#libs/documents/passage-embedder.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { LocalModels } from '#libs/models/local-models.js';
import { ModelsModule } from '#libs/models/models.module.js';
import { NotebookDocuments } from '#libs/notebooks/notebook-documents.js';
import { NotebookNotes } from '#libs/notebooks/notebook-notes.js';
import { Notebooks } from '#libs/notebooks/notebooks.js';
import { PublicationCheck } from '#libs/publishing/publication-check.js';
import { PublishingModule } from '#libs/publishing/publishing.module.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { AnswerCache } from '../answer-cache.js';
import { JobLog } from './job-log.js';
import { JobRunner } from './job-runner.js';
import { JobLifecycle } from '../lifecycle.js';
import { RunTimes } from '#libs/scheduling/run-times.js';
import type { ToolHandlers } from '../tool-handler.js';

/** Runs jobs in a worker process. */
@Module({})
export class JobRunnerModule {
  static forRoot(handlers: ToolHandlers): DynamicModule {
    return {
      module: JobRunnerModule,
      imports: [AiModule, DocumentsModule, ImageSupportModule, ModelsModule, PublishingModule],
      providers: [
        provideClass(PassageEmbedder, {
          models: LocalModels,
          vectors: valueFrom(DOCUMENTS, ({ vectors }: Documents) => vectors),
          log: valueFrom(
            PinoLogger,
            (logger) => (error: unknown) =>
              logger.warn({ err: error }, 'A document is not read for its meaning until its next question.'),
          ),
        }),
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
            RECLAIM_STORAGE,
            ImageSupport,
            ProviderCalls,
            ProviderBudgets,
            PublicationCheck,
          ],
          useFactory: (
            { jobs, engines, chosenEngines, storageQuota: quota }: Config,
            lifecycle: JobLifecycle,
            live: SocketServer,
            engine: Engine,
            files: StoredFiles,
            documents: Documents,
            dataSource: DataSource,
            logger: PinoLogger,
            models: LocalModels,
            embedder: PassageEmbedder,
            reclaimStorage: ReclaimStorage,
            imageSupport: ImageSupport,
            calls: ProviderCalls,
            budgets: ProviderBudgets,
            publicationCheck: PublicationCheck,
          ) => {
            const answers = new AnswerCache(dataSource);
            const times = new RunTimes(dataSource);
            const services = {
              ...{ files, documents, answers, quota, models, embedder, reclaimStorage },
              notebooks: new Notebooks(dataSource),
              notebookDocuments: new NotebookDocuments(dataSource),
              notebookNotes: new NotebookNotes(dataSource),
            };
            return new JobRunner({
              dataSource,
              lifecycle,
              live,
              engine,
              handlers,
              toolEngines: { engines, chosenEngines },
              imageSupport,
              publicationCheck,
              services,
              calls,
              budgets,
              expect: (tool, engine, size) => times.expect(tool, engine, size),
              log: new JobLog(logger),
              ...jobs,
            });
          },
        },
      ],
      exports: [JobRunner],
    };
  }
}
