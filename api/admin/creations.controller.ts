import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import type { OperatorIdentity } from '#libs/audit/audit-log.js';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { listModeratedCreations } from '#libs/creations/moderation.js';
import { CreationActions } from '#libs/operators/creation-actions.js';
import { Operator, Route } from '../http/route.js';

const id = { schema: routes.adminDecide.params.shape.id };

@Controller()
export class AdminCreationsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly actions: CreationActions,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  @Route('adminReports')
  reports(@Query({ schema: routes.adminReports.query }) query: RouteQuery<'adminReports'>) {
    return listModeratedCreations(this.dataSource, { ...query, publicUrl: this.config.publicUrl });
  }

  @Route('adminRevealCreation')
  reveal(
    @Operator() operator: OperatorIdentity,
    @Param('id', id) creation: string,
    @Body({ schema: routes.adminRevealCreation.body }) { reason }: RouteBody<'adminRevealCreation'>,
  ) {
    return this.actions.revealCreation({ operator, reason }, creation, this.config.publicUrl);
  }

  @Route('adminDecide')
  async decide(
    @Operator() operator: OperatorIdentity,
    @Param('id', id) creation: string,
    @Body({ schema: routes.adminDecide.body }) { decision, reason }: RouteBody<'adminDecide'>,
  ) {
    const act = { operator, reason };
    if (decision === 'dismiss') await this.actions.dismissReports(act, creation);
    else if (decision === 'takedown') await this.actions.takeDown(act, creation);
    else await this.actions.decide(act, decision, creation);
    return {};
  }
}
