import { Body, Controller, Headers, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Identity } from '#libs/accounts/identity.js';
import { AppError } from '#libs/contract/errors.js';
import { validationError } from '#libs/contract/validation.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { isToolName, tools } from '#libs/tools/catalogue.js';
import { CurrentIdentity } from '../auth/current-identity.js';
import { readIdempotencyKey } from '../jobs/idempotency-key.js';
import { Responder } from '../jobs/responder.js';

/** One endpoint for every tool in the catalogue: checks the input with the tool's own schema and accepts the job. */
@Controller('api/ai')
export class ToolsController {
  constructor(
    private readonly submission: JobSubmission,
    private readonly responder: Responder,
  ) {}

  @Post(':tool')
  @HttpCode(200)
  async submit(
    @CurrentIdentity() { userId }: Identity,
    @Param('tool') tool: string,
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    if (!isToolName(tool)) throw new AppError('NOT_FOUND', 'There is no such tool.');
    const idempotencyKey = readIdempotencyKey(key);
    const input = tools[tool].input.safeParse(body ?? {});
    if (!input.success) throw validationError(input.error.issues);
    const requestId = String(request.id);
    const job = await this.submission.submit({ personId: userId, tool, input: input.data, idempotencyKey, requestId });
    return this.responder.answer(request, response, job);
  }
}
