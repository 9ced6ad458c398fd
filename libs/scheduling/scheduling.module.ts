import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { logErrors } from '#libs/observability/log-errors.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { QueuePauses } from './queue-pauses.js';
import { QueuePositions } from './queue-positions.js';

/** Positions of waiting jobs, and queues that an operator paused. */
@Global()
@Module({
  providers: [
    {
      provide: QueuePositions,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new QueuePositions(dataSource),
    },
    {
      provide: QueuePauses,
      inject: [DataSource, JobQueue],
      useFactory: (dataSource: DataSource, queue: JobQueue) =>
        new QueuePauses(dataSource, queue, logErrors('Queue')),
    },
  ],
  exports: [QueuePositions, QueuePauses],
})
export class SchedulingModule {}
