import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '#libs/accounts/identity.js';
import { JobSubmission, type Jobs } from '#libs/jobs/submission.js';
import { contractOf, type ToolName } from '#libs/tools/catalogue.js';
import { requestIdOf } from '../http/request-id.js';
import { leastFileBytes } from './multipart.js';
import { ToolRequests } from './tool-requests.js';
import { Uploads } from './uploads.js';

@Injectable()
export class ToolsService {
  constructor(
    private readonly requests: ToolRequests,
    private readonly uploads: Uploads,
    private readonly submission: JobSubmission,
  ) {}

  /** Checks plan and storage, then reads the body and submits the job. @throws AppError if the request is refused */
  async submit<N extends ToolName>(
    { userId, apiKey }: Caller,
    tool: N,
    idempotencyKey: string | undefined,
    request: Request,
    response: Response,
  ): Promise<Jobs> {
    await this.submission.checkAhead({ userId, tool, idempotencyKey }, leastFileBytes(request));
    const { input, files } = await this.requests.read(userId, request, response, contractOf(tool));
    const submission = {
      userId,
      tool,
      input,
      idempotencyKey,
      apiKeyId: apiKey?.id,
      requestId: requestIdOf(request),
    };
    const { jobs } = await this.uploads
      .during(userId, files, async (keys) => {
        const jobs = await this.submission.submitAll({ ...submission, files: keys });
        return { jobs, files: jobs[0].files };
      })
      .finally(() => this.requests.discard(files));
    return jobs;
  }
}
