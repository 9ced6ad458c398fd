import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { chosenSteps, type Flow, type FlowName } from '#libs/contract/flows.js';
import { Flows } from '#libs/flows/flows.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { checkFlow, flowInput, flows, namedSteps } from '#libs/tools/flows.js';
import { leastFileBytes } from '../tools/multipart.js';
import { ToolRequests } from '../tools/tool-requests.js';
import { Uploads } from '../tools/uploads.js';

@Injectable()
export class FlowStarts {
  constructor(
    private readonly flows: Flows,
    private readonly requests: ToolRequests,
    private readonly uploads: Uploads,
    private readonly submission: JobSubmission,
  ) {}

  /**
   * Checks plan and storage, reads the body, stores its files and creates the flow. @throws AppError if the request is
   * refused
   */
  async start(
    userId: string,
    name: FlowName,
    idempotencyKey: string | undefined,
    request: Request,
    response: Response,
  ): Promise<Flow> {
    const first = chosenSteps(name, namedSteps(name, undefined))[0]!.tool;
    await this.submission.checkAhead({ userId, tool: first }, leastFileBytes(request));
    const read = await this.requests.read(userId, request, response, {
      input: flowInput(name),
      files: flows[name].files ?? {},
      check: (input) => checkFlow(name, input),
    });
    const { steps, ...input } = read.input as Record<string, unknown> & { steps?: string };
    const { flow } = await this.uploads
      .during(userId, read.files, (files) =>
        this.flows.create(
          userId,
          { flow: name, input, steps: namedSteps(name, steps), files },
          idempotencyKey,
        ),
      )
      .finally(() => this.requests.discard(read.files));
    return flow;
  }
}
