import { Inject, Module, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass, value } from '#libs/config/provide-class.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { QueuePositions } from '#libs/scheduling/queue-positions.js';
import { JobCompletion } from './job-completion.js';
import { JobEvents } from './job-events.js';
import { JobReader } from './job-reader.js';
import { JobEndRecovery } from './job-end-recovery.js';

/** Lets an API process read jobs and wait for their end. */
@Module({
  providers: [
    provideClass(JobReader, [DataSource, QueuePositions, value(({ publicUrl }) => publicUrl)]),
    provideClass(JobCompletion, [DataSource, SocketServer, value(() => logErrors('Jobs'))]),
    provideClass(JobEndRecovery, [DataSource, SocketServer, JobEvents, AccountEvents]),
  ],
  exports: [JobReader, JobCompletion, JobEndRecovery],
})
export class JobRequestsModule implements OnModuleDestroy {
  constructor(@Inject(JobCompletion) private readonly completion: JobCompletion) {}

  /** On shutdown, answers requests that wait for a job at once. The job continues in its worker. */
  onModuleDestroy(): void {
    this.completion.close();
  }
}
