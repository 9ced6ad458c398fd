import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass, value } from '#libs/config/provide-class.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { QueuePauses } from './queue-pauses.js';
import { QueuePositions } from './queue-positions.js';

/** Provides positions of waiting jobs and paused queues. */
@Global()
@Module({
  providers: [
    provideClass(QueuePositions, [DataSource]),
    provideClass(QueuePauses, [DataSource, JobQueue, value(() => logErrors('Queue'))]),
  ],
  exports: [QueuePositions, QueuePauses],
})
export class SchedulingModule {}
