import { pipeline } from 'node:stream/promises';
import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { auditLogAsCsv, readAuditLog } from '#libs/operators/audit-log.js';
import { OperatorActions } from '#libs/operators/operator-actions.js';
import { Operator, Route } from '../http/route.js';

const id = { schema: routes.adminTakeDown.params.shape.id };

@Controller()
export class AdminAuditController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly actions: OperatorActions,
  ) {}

  @Route('adminAudit')
  async list(@Query({ schema: routes.adminAudit.query }) query: RouteQuery<'adminAudit'>) {
    return { entries: await readAuditLog(this.dataSource, query) };
  }

  @Route('adminAuditCsv')
  async csv(@Res() response: Response) {
    response.type('text/csv').attachment(`audit-${new Date().toISOString().slice(0, 10)}.csv`);
    // The status is sent already, so a failure closes the connection.
    await pipeline(auditLogAsCsv(this.dataSource), response).catch(() => response.destroy());
  }

  @Route('adminTakeDown')
  async takeDown(
    @Operator() operator: string,
    @Param('id', id) creation: string,
    @Body({ schema: routes.adminTakeDown.body }) { reason }: RouteBody<'adminTakeDown'>,
  ) {
    await this.actions.takeDown({ operator, reason }, creation);
    return {};
  }

  @Route('adminRestore')
  async restore(
    @Operator() operator: string,
    @Param('id', id) creation: string,
    @Body({ schema: routes.adminRestore.body }) { reason }: RouteBody<'adminRestore'>,
  ) {
    await this.actions.restorePublishing({ operator, reason }, creation);
    return {};
  }
}
