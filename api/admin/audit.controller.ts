import { pipeline } from 'node:stream/promises';
import { Controller, Logger, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { routes, type RouteQuery } from '#libs/contract/routes/table.js';
import { auditLogAsCsv, readAuditLog } from '#libs/audit/audit-log.js';
import { Route } from '../http/route.js';

@Controller()
export class AdminAuditController {
  private readonly logger = new Logger('AuditLog');

  constructor(private readonly dataSource: DataSource) {}

  @Route('adminAudit')
  async list(@Query({ schema: routes.adminAudit.query }) query: RouteQuery<'adminAudit'>) {
    return { entries: await readAuditLog(this.dataSource, query) };
  }

  @Route('adminAuditCsv')
  async csv(
    @Query({ schema: routes.adminAuditCsv.query }) query: RouteQuery<'adminAuditCsv'>,
    @Res() response: Response,
  ) {
    response.type('text/csv').attachment(`audit-${new Date().toISOString().slice(0, 10)}.csv`);
    // The status is sent already, so a failure closes the connection.
    await pipeline(auditLogAsCsv(this.dataSource, query), response).catch((error: Error) => {
      response.destroy();
      this.logger.warn(`The audit log was not sent whole: ${error.message}`);
    });
  }
}
