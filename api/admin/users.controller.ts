import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import type { OperatorIdentity } from '#libs/audit/audit-log.js';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { UserActions } from '#libs/operators/user-actions.js';
import { listUsers, readUserDetails } from '#libs/operators/users.js';
import { Operator, Route } from '../http/route.js';
import { IdempotencyKey } from '../http/idempotency-key.js';

@Controller()
export class AdminUsersController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly actions: UserActions,
    @Inject(CONFIG) private readonly config: Pick<Config, 'storageQuota' | 'prices'>,
  ) {}

  @Route('adminUsers')
  list(@Query({ schema: routes.adminUsers.query }) { suspended, ...query }: RouteQuery<'adminUsers'>) {
    return listUsers(this.dataSource, { ...query, suspended: suspended && suspended === 'true' });
  }

  @Route('adminUser')
  async show(@Param('id') id: string) {
    return { user: await readUserDetails(this.dataSource, id, this.config.storageQuota, this.config.prices) };
  }

  @Route('adminSuspendUser')
  async suspend(
    @Operator() operator: OperatorIdentity,
    @Param('id') id: string,
    @Body({ schema: routes.adminSuspendUser.body }) { reason }: RouteBody<'adminSuspendUser'>,
  ) {
    await this.actions.suspendUser({ operator, reason }, id);
    return this.show(id);
  }

  @Route('adminUnsuspendUser')
  async unsuspend(
    @Operator() operator: OperatorIdentity,
    @Param('id') id: string,
    @Body({ schema: routes.adminUnsuspendUser.body }) { reason }: RouteBody<'adminUnsuspendUser'>,
  ) {
    await this.actions.unsuspendUser({ operator, reason }, id);
    return this.show(id);
  }

  @Route('adminSignOutUser')
  async signOut(
    @Operator() operator: OperatorIdentity,
    @Param('id') id: string,
    @Body({ schema: routes.adminSignOutUser.body }) { reason }: RouteBody<'adminSignOutUser'>,
  ) {
    await this.actions.signOutUser({ operator, reason }, id);
    return this.show(id);
  }

  @Route('adminSetPlan')
  async setPlan(
    @Operator() operator: OperatorIdentity,
    @Param('id') id: string,
    @Body({ schema: routes.adminSetPlan.body }) { plan, reason }: RouteBody<'adminSetPlan'>,
  ) {
    await this.actions.setPlan({ operator, reason }, id, plan);
    return this.show(id);
  }

  @Route('adminGiveCredits')
  async giveCredits(
    @Operator() operator: OperatorIdentity,
    @Param('id') id: string,
    @Body({ schema: routes.adminGiveCredits.body }) { amount, reason }: RouteBody<'adminGiveCredits'>,
    @IdempotencyKey() key: string | undefined,
  ) {
    const act = { operator, reason, idempotencyKey: key };
    await this.actions.giveCredits(act, id, amount);
    return this.show(id);
  }

  @Route('adminSetLimits')
  async setLimits(
    @Operator() operator: OperatorIdentity,
    @Param('id') id: string,
    @Body({ schema: routes.adminSetLimits.body }) { limits, reason }: RouteBody<'adminSetLimits'>,
  ) {
    await this.actions.setLimits({ operator, reason }, id, limits);
    return this.show(id);
  }

  @Route('adminRevokeKey')
  async revokeKey(
    @Operator() operator: OperatorIdentity,
    @Param('id') id: string,
    @Param('key') key: string,
    @Body({ schema: routes.adminRevokeKey.body }) { reason }: RouteBody<'adminRevokeKey'>,
  ) {
    await this.actions.revokeKey({ operator, reason }, id, key);
    return this.show(id);
  }

  @Route('adminDeleteUser')
  async delete(
    @Operator() operator: OperatorIdentity,
    @Param('id') id: string,
    @Body({ schema: routes.adminDeleteUser.body }) { reason, confirm }: RouteBody<'adminDeleteUser'>,
  ) {
    return { receipt: await this.actions.deleteUser({ operator, reason }, id, confirm) };
  }
}
