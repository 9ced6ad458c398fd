import { Body, Controller, Headers, Inject, Param, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import type { OperatorIdentity } from '#libs/audit/audit-log.js';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { listJobs, readJobStory } from '#libs/operators/jobs.js';
import { OperatorActions } from '#libs/operators/operator-actions.js';
import { requestIdOf } from '../http/request-id.js';
import { Operator, Route } from '../http/route.js';
import { readIdempotencyKey } from '../jobs/idempotency-key.js';

const id = { schema: routes.adminJob.params.shape.id };

@Controller()
export class AdminJobsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly actions: OperatorActions,
    @Inject(CONFIG) private readonly config: Pick<Config, 'traceUrl'>,
  ) {}

  @Route('adminJobs')
  list(@Query({ schema: routes.adminJobs.query }) query: RouteQuery<'adminJobs'>) {
    return listJobs(this.dataSource, query);
  }

  @Route('adminCountJobs')
  async count(
    @Query({ schema: routes.adminCountJobs.query }) { action, ...filter }: RouteQuery<'adminCountJobs'>,
  ) {
    return { count: (await this.actions.jobsFor(action, filter)).length };
  }

  @Route('adminActOnJobs')
  actOnJobs(
    @Operator() operator: OperatorIdentity,
    @Body({ schema: routes.adminActOnJobs.body }) { reason, ...act }: RouteBody<'adminActOnJobs'>,
    @Req() request: Request,
  ) {
    return this.actions.actOnJobs({ operator, reason, requestId: requestIdOf(request) }, act);
  }

  @Route('adminJob')
  async show(@Param('id', id) job: string) {
    return { job: await readJobStory(this.dataSource, job, this.config.traceUrl) };
  }

  @Route('adminRevealJob')
  reveal(
    @Operator() operator: OperatorIdentity,
    @Param('id', id) job: string,
    @Body({ schema: routes.adminRevealJob.body }) { reason }: RouteBody<'adminRevealJob'>,
  ) {
    return this.actions.revealJob({ operator, reason }, job);
  }

  @Route('adminCancelJob')
  async cancel(
    @Operator() operator: OperatorIdentity,
    @Param('id', id) job: string,
    @Body({ schema: routes.adminCancelJob.body }) { reason }: RouteBody<'adminCancelJob'>,
  ) {
    await this.actions.cancelJob({ operator, reason }, job);
    return this.show(job);
  }

  @Route('adminRetryJob')
  async retry(
    @Operator() operator: OperatorIdentity,
    @Param('id', id) job: string,
    @Body({ schema: routes.adminRetryJob.body }) { reason, input }: RouteBody<'adminRetryJob'>,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: Request,
  ) {
    const again = await this.actions.retryJob(
      { operator, reason, idempotencyKey: readIdempotencyKey(key) },
      job,
      {
        input,
        requestId: requestIdOf(request),
      },
    );
    return this.show(again.job.id);
  }
}
