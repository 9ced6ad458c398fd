import {
  Global,
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Config } from '#libs/config/environment.js';
import { openDataSource } from '#libs/database/data-source.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { QueuePositions } from '#libs/jobs/queue-positions.js';
import { QueuePauses } from '#libs/jobs/queue-pauses.js';
import { createJobQueue, JobQueue } from '#libs/queue/job-queue.js';
import { createObjectStore } from '#libs/storage/create-object-store.js';
import { ObjectStore } from '#libs/storage/object-store.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { TelemetryModule } from './telemetry.module.js';
import { reportTo } from './report.js';

/** The injection token of the process's {@link Config}. */
export const CONFIG = Symbol('CONFIG');

const services: Provider[] = [
  {
    provide: JobQueue,
    inject: [CONFIG],
    useFactory: ({ queue, databaseUrl }: Config) =>
      createJobQueue({ config: queue, databaseUrl, onError: reportTo('Queue') }),
  },
  {
    provide: SocketServer,
    inject: [CONFIG],
    useFactory: ({ queue, databaseUrl }: Config) =>
      SocketServer.create({ config: queue, databaseUrl, onError: reportTo('Live events') }),
  },
  {
    provide: ObjectStore,
    inject: [CONFIG],
    useFactory: ({ storage }: Config) => createObjectStore(storage),
  },
  {
    provide: StoredFiles,
    inject: [DataSource, ObjectStore],
    useFactory: (dataSource: DataSource, store: ObjectStore) => new StoredFiles(dataSource, store),
  },
  {
    provide: QueuePositions,
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => new QueuePositions(dataSource),
  },
  {
    provide: JobEvents,
    inject: [DataSource, SocketServer, QueuePositions, CONFIG],
    useFactory: (dataSource: DataSource, live: SocketServer, places: QueuePositions, { publicUrl }: Config) =>
      new JobEvents(dataSource, live, places, reportTo('Announcements'), publicUrl),
  },
  {
    provide: QueuePauses,
    inject: [DataSource, JobQueue],
    useFactory: (dataSource: DataSource, queue: JobQueue) =>
      new QueuePauses(dataSource, queue, reportTo('Queue')),
  },
  {
    provide: JobLifecycle,
    inject: [DataSource, JobQueue, SocketServer, JobEvents],
    useFactory: (dataSource: DataSource, queue: JobQueue, live: SocketServer, jobEvents: JobEvents) =>
      new JobLifecycle({ dataSource, queue, live, jobEvents, onError: reportTo('Jobs') }),
  },
];

/** What api and worker share: the configuration, the database, the queue, the object store, live events, and the life of a job. */
@Global()
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(JobQueue) private readonly queue: JobQueue,
    @Inject(SocketServer) private readonly live: SocketServer,
  ) {}

  static for(process: 'api' | 'worker', config: Config): DynamicModule {
    const providers: Provider[] = [
      { provide: CONFIG, useValue: config },
      {
        provide: DataSource,
        useFactory: () =>
          openDataSource({ url: config.databaseUrl, applicationName: `pressroom-${process}` }),
      },
      ...services,
    ];
    const imports = [TelemetryModule.for(process, config)];
    return { module: PlatformModule, imports, providers, exports: providers };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.live.close();
    await this.queue.close();
    await this.dataSource.destroy();
  }
}
