import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '#libs/accounts/identity.js';
import { chosenSteps, type Flow, type FlowName } from '#libs/contract/flows.js';
import { Flows } from '#libs/flows/flows.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { checkFlow, flowInput, flows, namedSteps } from '#libs/tools/flows.js';
import { requireToolScope } from '../http/key-scopes.js';
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
    caller: Caller,
    name: FlowName,
    idempotencyKey: string | undefined,
    request: Request,
    response: Response,
  ): Promise<Flow> {
    const { userId, apiKey } = caller;
    const first = chosenSteps(name, namedSteps(name, undefined))[0]!.tool;
    await this.submission.checkAhead({ userId, tool: first }, leastFileBytes(request));
    const read = await this.requests.read(userId, request, response, {
      input: flowInput(name),
      files: flows[name].files ?? {},
      check: (input) => checkFlow(name, input),
    });
    const { steps, ...input } = read.input as Record<string, unknown> & { steps?: string };
    const named = namedSteps(name, steps);
    for (const { tool } of chosenSteps(name, named)) requireToolScope(caller, tool);
    const { flow } = await this.uploads
      .during(userId, read.files, (files) =>
        this.flows.create(userId, {
          ...{ flow: name, input, files, idempotencyKey },
          steps: named,
          apiKeyId: apiKey?.id,
        }),
      )
      .finally(() => this.requests.discard(read.files));
    return flow;
  }
}
