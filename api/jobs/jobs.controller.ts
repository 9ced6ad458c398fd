import { Controller, Delete, Get, Headers, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Identity } from '#libs/accounts/identity.js';
import { AppError } from '#libs/contract/errors.js';
import { jobListQuerySchema, type Job, type JobListQuery } from '#libs/contract/jobs.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { JobReader } from '#libs/jobs/job-reader.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { CurrentIdentity } from '../http/current-identity.js';
import { KnownIdPipe } from '../http/known-id.pipe.js';
import { requestIdOf } from '../http/request-id.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { Responder } from './responder.js';

const jobId = new KnownIdPipe(() => new AppError('NOT_FOUND', 'There is no such job.'));

@Controller('api/jobs')
export class JobsController {
  constructor(
    private readonly jobs: JobReader,
    private readonly submission: JobSubmission,
    private readonly lifecycle: JobLifecycle,
    private readonly responder: Responder,
  ) {}

  @Get()
  async list(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: jobListQuerySchema }) query: JobListQuery,
  ): Promise<object> {
    return { success: true, ...(await this.jobs.list(userId, query)) };
  }

  @Get(':id')
  async get(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', jobId) id: string,
  ): Promise<{ success: true; job: Job }> {
    return { success: true, job: await this.jobs.get(userId, id) };
  }

  @Delete(':id')
  async cancel(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', jobId) id: string,
  ): Promise<{ success: true; job: Job }> {
    return { success: true, job: await this.jobs.show(await this.lifecycle.cancel(userId, id)) };
  }

  @Post(':id/retry')
  @HttpCode(200)
  async retry(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', jobId) id: string,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const idempotencyKey = readIdempotencyKey(key);
    const job = await this.submission.retry(userId, id, { idempotencyKey, requestId: requestIdOf(request) });
    return this.responder.answer(request, response, job);
  }
}
