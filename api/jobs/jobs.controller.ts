import { Controller, Param, ParseUUIDPipe, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '#libs/accounts/identity.js';
import { AppError } from '#libs/contract/errors.js';
import { routes, type RouteQuery } from '#libs/contract/routes/table.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { JobReader } from '#libs/jobs/job-reader.js';
import { isToolName } from '#libs/tools/catalogue.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { requireToolScope } from '../http/key-scopes.js';
import { CurrentCaller, limitedRead, Route, UserId } from '../http/route.js';
import { requestIdOf } from '../http/request-id.js';
import { IdempotencyKey } from '../http/idempotency-key.js';
import { Responder } from './responder.js';

const jobId = new ParseUUIDPipe({
  exceptionFactory: () => new AppError('NOT_FOUND', 'There is no such job.'),
});

@Controller()
export class JobsController {
  constructor(
    private readonly jobs: JobReader,
    private readonly submission: JobSubmission,
    private readonly lifecycle: JobLifecycle,
    private readonly responder: Responder,
  ) {}

  @Route('listJobs')
  list(@UserId() userId: string, @Query({ schema: routes.listJobs.query }) query: RouteQuery<'listJobs'>) {
    return this.jobs.list(userId, query);
  }

  @Route('getJob')
  async get(@UserId() userId: string, @Param('id', jobId) id: string) {
    return { job: await this.jobs.get(userId, id) };
  }

  @Route('getJobPreview')
  async preview(
    @UserId() userId: string,
    @Param('id', jobId) id: string,
    @Res() response: Response,
  ): Promise<void> {
    const image = await limitedRead(response.req, response, () => this.jobs.preview(userId, id));
    response.set('Cache-Control', 'private, no-store');
    if (image) response.type('image/webp').end(image);
    else response.status(204).end();
  }

  @Route('cancelJob')
  async cancel(@UserId() userId: string, @Param('id', jobId) id: string) {
    return { job: await this.jobs.show(await this.lifecycle.cancel(userId, id)) };
  }

  @Route('retryJob')
  async retry(
    @CurrentCaller() { userId, apiKey }: Caller,
    @Param('id', jobId) id: string,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    if (apiKey) {
      const { tool } = await this.jobs.get(userId, id);
      if (isToolName(tool)) requireToolScope({ userId, apiKey }, tool);
    }
    const job = await this.submission.retry(userId, id, {
      idempotencyKey,
      apiKeyId: apiKey?.id,
      requestId: requestIdOf(request),
    });
    return this.responder.answer(request, response, [job]);
  }
}
