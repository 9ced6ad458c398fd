import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '#libs/accounts/identity.js';
import { type Config, CONFIG } from '#libs/config/environment.js';
import { publishingIsOff } from '#libs/contract/moderation.js';
import type { Submission } from '#libs/jobs/jobs-request.js';
import { JobSubmission, type Jobs } from '#libs/jobs/submission.js';
import { contractOf, type ToolInput, type ToolName } from '#libs/tools/catalogue.js';
import { requestIdOf } from '../http/request-id.js';
import { leastFileBytes } from './multipart.js';
import { ToolRequests, type FileContents, type ToolRequest } from './tool-requests.js';
import { Uploads } from './uploads.js';

@Injectable()
export class ToolsService {
  constructor(
    private readonly requests: ToolRequests,
    private readonly uploads: Uploads,
    private readonly submission: JobSubmission,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publishing'>,
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
    const read = await this.requests.read(userId, request, response, contractOf(tool));
    const options = { idempotencyKey, requestId: requestIdOf(request) };
    return this.submitRead({ userId, apiKey }, tool, read, options);
  }

  /** Like {@link submit}, with fields and files that are already in memory. */
  async submitContents<N extends ToolName>(
    { userId, apiKey }: Caller,
    tool: N,
    fields: object,
    contents: FileContents[],
    requestId: string,
  ): Promise<Jobs> {
    const bytes = contents.reduce((sum, file) => sum + file.bytes.length, 0);
    await this.submission.checkAhead({ userId, tool }, bytes);
    const read = await this.requests.readContents(userId, contractOf(tool), fields, contents);
    return this.submitRead({ userId, apiKey }, tool, read, { requestId });
  }

  private async submitRead<N extends ToolName>(
    { userId, apiKey }: Caller,
    tool: N,
    { input, files }: ToolRequest<ToolInput<N>>,
    options: Pick<Submission, 'idempotencyKey' | 'requestId'>,
  ): Promise<Jobs> {
    if (this.config.publishing === 'off' && 'publish' in input && input.publish) {
      await this.requests.discard(files);
      throw publishingIsOff();
    }
    const submission = { userId, tool, input, apiKeyId: apiKey?.id, ...options };
    const { jobs } = await this.uploads
      .during(userId, files, async (keys) => {
        const jobs = await this.submission.submitAll({ ...submission, files: keys });
        return { jobs, files: jobs[0].files };
      })
      .finally(() => this.requests.discard(files));
    return jobs;
  }
}
