import { Body, Controller, Param, ParseUUIDPipe, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '#libs/accounts/identity.js';
import { AppError } from '#libs/contract/errors.js';
import { isFlowName } from '#libs/contract/flows.js';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { flowNotFound } from '#libs/flows/flow-steps.js';
import { Flows } from '#libs/flows/flows.js';
import { CurrentCaller, Route, UserId } from '../http/route.js';
import { IdempotencyKey } from '../http/idempotency-key.js';
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
    @CurrentCaller() caller: Caller,
    @Param('flow') name: string,
    @IdempotencyKey() key: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    if (!isFlowName(name)) throw new AppError('NOT_FOUND', 'There is no such flow to start.');
    const flow = await this.starts.start(caller, name, key, request, response);
    return { flow };
  }

  @Route('listFlows')
  list(@UserId() userId: string, @Query({ schema: routes.listFlows.query }) query: RouteQuery<'listFlows'>) {
    return this.flows.list(userId, query);
  }

  @Route('getFlow')
  async get(@UserId() userId: string, @Param('id', flowId) id: string) {
    return { flow: await this.flows.get(userId, id) };
  }

  @Route('chooseFlowTitle')
  async chooseTitle(
    @UserId() userId: string,
    @Param('id', flowId) id: string,
    @Body({ schema: routes.chooseFlowTitle.body }) { title }: RouteBody<'chooseFlowTitle'>,
  ) {
    return { flow: await this.flows.chooseTitle(userId, id, title) };
  }

  @Route('cancelFlow')
  async cancel(@UserId() userId: string, @Param('id', flowId) id: string) {
    return { flow: await this.flows.cancel(userId, id) };
  }
}
