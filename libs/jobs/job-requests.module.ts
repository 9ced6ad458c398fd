import { Inject, Module, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { QueuePositions } from '#libs/scheduling/queue-positions.js';
import { JobCompletion } from './job-completion.js';
import { JobEvents } from './job-events.js';
import { JobReader } from './job-reader.js';
import { JobEndRecovery } from './job-end-recovery.js';

/** Reads jobs for the users of an api, and waits for their end. */
@Module({
  providers: [
    {
      provide: JobReader,
      inject: [DataSource, QueuePositions, CONFIG],
      useFactory: (dataSource: DataSource, positions: QueuePositions, { publicUrl }: Config) =>
        new JobReader(dataSource, positions, publicUrl),
    },
    {
      provide: JobCompletion,
      inject: [DataSource, SocketServer],
      useFactory: (dataSource: DataSource, live: SocketServer) =>
        new JobCompletion(dataSource, live, logErrors('Jobs')),
    },
    {
      provide: JobEndRecovery,
      inject: [DataSource, SocketServer, JobEvents, AccountEvents],
      useFactory: (
        dataSource: DataSource,
        live: SocketServer,
        jobEvents: JobEvents,
        accountEvents: AccountEvents,
      ) => new JobEndRecovery(dataSource, live, jobEvents, accountEvents),
    },
  ],
  exports: [JobReader, JobCompletion, JobEndRecovery],
})
export class JobRequestsModule implements OnModuleDestroy {
  constructor(@Inject(JobCompletion) private readonly completion: JobCompletion) {}

  /** Requests that wait for a job are answered at once; the job goes on. */
  onModuleDestroy(): void {
    this.completion.close();
  }
}
