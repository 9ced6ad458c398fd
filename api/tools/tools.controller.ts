import { Controller, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '#libs/accounts/identity.js';
import { AppError } from '#libs/contract/errors.js';
import { isToolName } from '#libs/tools/catalogue.js';
import { requireToolScope } from '../http/key-scopes.js';
import { ClientSignal, CurrentCaller, Route, UserId } from '../http/route.js';
import { IdempotencyKey } from '../http/idempotency-key.js';
import { Responder } from '../jobs/responder.js';
import { ResumeLines } from './resume-lines.js';
import { ToolPreviews } from './tool-previews.js';
import { ToolsService } from './tools.service.js';

@Controller()
export class ToolsController {
  constructor(
    private readonly tools: ToolsService,
    private readonly responder: Responder,
    private readonly previews: ToolPreviews,
    private readonly resumeLines: ResumeLines,
  ) {}

  @Route('submitJob')
  async submit(
    @CurrentCaller() caller: Caller,
    @Param('tool') tool: string,
    @IdempotencyKey() key: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    if (!isToolName(tool)) throw new AppError('NOT_FOUND', 'There is no such tool.');
    requireToolScope(caller, tool);
    const jobs = await this.tools.submit(caller, tool, key, request, response);
    return this.responder.answer(request, response, jobs);
  }

  @Route('previewObjectMask')
  previewMask(
    @UserId() userId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @ClientSignal() signal: AbortSignal,
  ) {
    return this.previews.mask(userId, request, response, signal);
  }

  @Route('replaceResumeLines')
  async replaceResumeLines(
    @UserId() userId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @ClientSignal() signal: AbortSignal,
  ) {
    return { success: true as const, ...(await this.resumeLines.replace(userId, request, response, signal)) };
  }
}
