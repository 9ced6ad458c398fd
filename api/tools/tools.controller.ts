import { Controller, Headers, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Identity } from '#libs/accounts/identity.js';
import { AppError } from '#libs/contract/errors.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { isToolName, tools } from '#libs/tools/catalogue.js';
import { CurrentIdentity } from '../http/current-identity.js';
import { readIdempotencyKey } from '../jobs/idempotency-key.js';
import { Responder } from '../jobs/responder.js';
import { requestIdOf } from '../http/request-id.js';
import { ToolRequests } from './tool-requests.js';
import { Uploads } from './uploads.js';

/** One endpoint for every tool in the catalogue: checks the input with the tool's own schema and accepts the job. */
@Controller('api/ai')
export class ToolsController {
  constructor(
    private readonly requests: ToolRequests,
    private readonly uploads: Uploads,
    private readonly submission: JobSubmission,
    private readonly responder: Responder,
  ) {}

  @Post(':tool')
  @HttpCode(200)
  async submit(
    @CurrentIdentity() { userId }: Identity,
    @Param('tool') tool: string,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    if (!isToolName(tool)) throw new AppError('NOT_FOUND', 'There is no such tool.');
    const idempotencyKey = readIdempotencyKey(key);
    await this.submission.checkPlan(userId, tool);
    const { input, files } = await this.requests.read(request, response, tools[tool]);
    const submission = { userId, tool, input, idempotencyKey, requestId: requestIdOf(request) };
    const job = await this.uploads
      .during(userId, files, (keys) => this.submission.submit({ ...submission, files: keys }))
      .finally(() => this.requests.discard(files));
    return this.responder.answer(request, response, job);
  }
}
