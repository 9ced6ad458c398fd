import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { BatchItem } from '#libs/contract/batches.js';
import { batchItemPlace } from '#libs/batches/batch-items.js';
import { Batches } from '#libs/batches/batches.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { tools } from '#libs/tools/catalogue.js';
import { requestIdOf } from '../http/request-id.js';
import { leastFileBytes } from '../tools/multipart.js';
import { ToolRequests } from '../tools/tool-requests.js';
import { Uploads } from '../tools/uploads.js';

const noFields = z.object({});

@Injectable()
export class BatchItems {
  constructor(
    private readonly batches: Batches,
    private readonly requests: ToolRequests,
    private readonly uploads: Uploads,
    private readonly submission: JobSubmission,
  ) {}

  /**
   * Creates the job of a picture from the uploaded file. Does nothing if the picture has a job that is unfinished,
   * succeeded or retryable. @throws AppError if the request is refused
   */
  async send(
    userId: string,
    item: { batchId: string; n: number },
    request: Request,
    response: Response,
  ): Promise<BatchItem> {
    const { tool, input, name, isSent } = await this.batches.readItem(userId, item.batchId, item.n);
    if (!isSent) {
      await this.submission.checkAhead({ userId, tool }, leastFileBytes(request));
      const { files } = await this.requests.read(userId, request, response, {
        input: noFields,
        files: { image: { ...tools[tool].files!.image!, orCreation: false } },
      });
      const named = files.map((file) => ({ ...file, name }));
      const submission = {
        userId,
        tool,
        input,
        place: batchItemPlace(item),
        requestId: requestIdOf(request),
      };
      await this.uploads
        .during(userId, named, (keys) => this.submission.submit({ ...submission, files: keys }))
        .finally(() => this.requests.discard(files));
    }
    return this.batches.getItem(userId, item.batchId, item.n);
  }
}
