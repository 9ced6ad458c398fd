import { Body, Controller, Param } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { QueueName } from '#libs/contract/jobs.js';
import type { OperatorIdentity } from '#libs/audit/audit-log.js';
import { routes, type RouteBody } from '#libs/contract/routes/table.js';
import { JobActions } from '#libs/operators/job-actions.js';
import { readMaintenanceTasks, readPrograms, readQueues } from '#libs/operators/queues.js';
import { Operator, Route } from '../http/route.js';

@Controller()
export class AdminQueuesController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly actions: JobActions,
  ) {}

  @Route('adminOverview')
  async overview() {
    const [queues, programs, tasks] = await Promise.all([
      readQueues(this.dataSource),
      readPrograms(this.dataSource),
      readMaintenanceTasks(this.dataSource),
    ]);
    return { queues, programs, tasks };
  }

  @Route('adminPauseQueue')
  async pause(
    @Operator() operator: OperatorIdentity,
    @Param('queue', { schema: routes.adminPauseQueue.params.shape.queue }) queue: QueueName,
    @Body({ schema: routes.adminPauseQueue.body }) { reason }: RouteBody<'adminPauseQueue'>,
  ) {
    await this.actions.pauseQueue({ operator, reason }, queue);
    return { queues: await readQueues(this.dataSource) };
  }

  @Route('adminResumeQueue')
  async resume(
    @Operator() operator: OperatorIdentity,
    @Param('queue', { schema: routes.adminResumeQueue.params.shape.queue }) queue: QueueName,
    @Body({ schema: routes.adminResumeQueue.body }) { reason }: RouteBody<'adminResumeQueue'>,
  ) {
    await this.actions.resumeQueue({ operator, reason }, queue);
    return { queues: await readQueues(this.dataSource) };
  }
}
