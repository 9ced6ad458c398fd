import { Body, Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import type { OperatorIdentity } from '#libs/audit/audit-log.js';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { withUrls } from '#libs/jobs/job-response.js';
import { listJobs, readJobStory } from '#libs/operators/jobs.js';
import { JobActions } from '#libs/operators/job-actions.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { FileContent, fileNotFound } from '../files/content.js';
import { requestIdOf } from '../http/request-id.js';
import { Operator, Route } from '../http/route.js';
import { IdempotencyKey } from '../http/idempotency-key.js';

const id = { schema: routes.adminJob.params.shape.id };

@Controller()
export class AdminJobsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly actions: JobActions,
    private readonly files: StoredFiles,
    private readonly content: FileContent,
    @Inject(CONFIG) private readonly config: Pick<Config, 'traceUrl' | 'publicUrl'>,
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
  async reveal(
    @Operator() operator: OperatorIdentity,
    @Param('id', id) job: string,
    @Body({ schema: routes.adminRevealJob.body }) { reason }: RouteBody<'adminRevealJob'>,
  ) {
    const contents = await this.actions.revealJob({ operator, reason }, job);
    return { ...contents, result: contents.result && withUrls(contents.result, this.config.publicUrl) };
  }

  @Route('adminRevealJobFile')
  async revealFile(
    @Operator() operator: OperatorIdentity,
    @Param('id', id) job: string,
    @Param('field') field: string,
    @Body({ schema: routes.adminRevealJobFile.body }) { reason }: RouteBody<'adminRevealJobFile'>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { userId, key } = await this.actions.revealJobFile({ operator, reason }, job, field);
    const file = await this.files.findOfUser(userId, key);
    if (!file) throw fileNotFound();
    await this.content.send(request, response, file, 'private, no-store');
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
    @IdempotencyKey() key: string | undefined,
    @Req() request: Request,
  ) {
    const again = await this.actions.retryJob({ operator, reason, idempotencyKey: key }, job, {
      input,
      requestId: requestIdOf(request),
    });
    return this.show(again.job.id);
  }
}
