import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '#libs/config/environment.js';
import { queueNames } from '#libs/contract/jobs.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { queueOptions, ReconnectingQueue, ReconnectingWorker } from './bullmq.js';
import { BullJobQueue, JobQueue } from './job-queue.js';

BullModule.queueClass = ReconnectingQueue;
BullModule.workerClass = ReconnectingWorker;

/** The queues of the process. Workers take no entries until `BullRegistrar.register()` is called. */
@Global()
@Module({})
export class QueueModule {
  static forRoot({ queue, databaseUrl }: Pick<Config, 'queue' | 'databaseUrl'>): DynamicModule {
    const queues = BullModule.registerQueue(...queueNames.map((name) => ({ name })));
    return {
      module: QueueModule,
      imports: [
        BullModule.forRootAsync({
          useFactory: () => queueOptions(queue, databaseUrl),
          extraOptions: { manualRegistration: true },
        }),
        queues,
      ],
      providers: [
        {
          provide: JobQueue,
          inject: queueNames.map((name) => getQueueToken(name)),
          useFactory: (...opened: ReconnectingQueue[]) => new BullJobQueue(opened, logErrors('Queue')),
        },
      ],
      exports: [JobQueue, queues],
    };
  }
}
