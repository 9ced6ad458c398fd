import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass, value } from '#libs/config/provide-class.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { QueueOrder } from './queue-order.js';
import { Reconciler } from './reconciler.js';

/** Maintenance in a worker: restores lost queue entries and keeps the order of the queues fair. */
@Module({
  providers: [
    provideClass(Reconciler, [DataSource, JobQueue]),
    provideClass(QueueOrder, [
      DataSource,
      JobQueue,
      SocketServer,
      value(({ jobs }) => jobs.standardWaitSeconds),
    ]),
  ],
  exports: [Reconciler, QueueOrder],
})
export class QueueMaintenanceModule {}
