import { Controller, Headers, Param, ParseUUIDPipe, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Identity } from '#libs/accounts/identity.js';
import { AppError } from '#libs/contract/errors.js';
import { isFlowName } from '#libs/contract/flows.js';
import { routes, type Answer, type RouteQuery } from '#libs/contract/routes/table.js';
import { flowNotFound } from '#libs/flows/flow-steps.js';
import { Flows } from '#libs/flows/flows.js';
import { CurrentIdentity, Route } from '../http/route.js';
import { readIdempotencyKey } from '../jobs/idempotency-key.js';
import { FlowStarts } from './flows.service.js';

const flowId = new ParseUUIDPipe({ exceptionFactory: flowNotFound });

@Controller()
export class FlowsController {
  constructor(
    private readonly flows: Flows,
    private readonly starts: FlowStarts,
  ) {}

  @Route('createFlow')
  async create(
    @CurrentIdentity() { userId }: Identity,
    @Param('flow') name: string,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answer<'createFlow'>> {
    if (!isFlowName(name)) throw new AppError('NOT_FOUND', 'There is no such flow to start.');
    const flow = await this.starts.start(userId, name, readIdempotencyKey(key), request, response);
    return { success: true, flow };
  }

  @Route('listFlows')
  async list(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: routes.listFlows.query }) query: RouteQuery<'listFlows'>,
  ): Promise<Answer<'listFlows'>> {
    return { success: true, ...(await this.flows.list(userId, query)) };
  }

  @Route('getFlow')
  async get(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', flowId) id: string,
  ): Promise<Answer<'getFlow'>> {
    return { success: true, flow: await this.flows.get(userId, id) };
  }

  @Route('cancelFlow')
  async cancel(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', flowId) id: string,
  ): Promise<Answer<'cancelFlow'>> {
    return { success: true, flow: await this.flows.cancel(userId, id) };
  }
}
