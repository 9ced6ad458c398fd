import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { QueueOrder } from './queue-order.js';
import { Reconciler } from './reconciler.js';

/** The passes of a worker that keep the queues in agreement with the job table, and their order fair. */
@Module({
  providers: [
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
  exports: [Reconciler, QueueOrder],
})
export class QueueMaintenanceModule {}
