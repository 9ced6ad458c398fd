import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { OperatorActions } from '#libs/operators/operator-actions.js';
import { listUsers, readUserDetails, userNotFound } from '#libs/operators/users.js';
import { Operator, Route, UserId } from '../http/route.js';

@Controller()
export class AdminUsersController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly actions: OperatorActions,
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
  suspend(
    @UserId() own: string,
    @Operator() operator: string,
    @Param('id') id: string,
    @Body({ schema: routes.adminSuspendUser.body }) { reason }: RouteBody<'adminSuspendUser'>,
  ) {
    if (id === own) throw new AppError('VALIDATION_FAILED', 'You cannot suspend yourself.');
    return this.change(id, () => this.actions.suspendUser({ operator, reason }, id));
  }

  @Route('adminUnsuspendUser')
  unsuspend(
    @Operator() operator: string,
    @Param('id') id: string,
    @Body({ schema: routes.adminUnsuspendUser.body }) { reason }: RouteBody<'adminUnsuspendUser'>,
  ) {
    return this.change(id, () => this.actions.unsuspendUser({ operator, reason }, id));
  }

  @Route('adminSignOutUser')
  signOut(
    @Operator() operator: string,
    @Param('id') id: string,
    @Body({ schema: routes.adminSignOutUser.body }) { reason }: RouteBody<'adminSignOutUser'>,
  ) {
    return this.change(id, () => this.actions.signOutUser({ operator, reason }, id));
  }

  @Route('adminSetPlan')
  setPlan(
    @Operator() operator: string,
    @Param('id') id: string,
    @Body({ schema: routes.adminSetPlan.body }) { plan, reason }: RouteBody<'adminSetPlan'>,
  ) {
    return this.change(id, () => this.actions.setPlan({ operator, reason }, id, plan));
  }

  @Route('adminGiveCredits')
  giveCredits(
    @Operator() operator: string,
    @Param('id') id: string,
    @Body({ schema: routes.adminGiveCredits.body }) { amount, reason }: RouteBody<'adminGiveCredits'>,
  ) {
    return this.change(id, () => this.actions.giveCredits({ operator, reason }, id, amount));
  }

  @Route('adminRevokeKey')
  revokeKey(
    @Operator() operator: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Body({ schema: routes.adminRevokeKey.body }) { reason }: RouteBody<'adminRevokeKey'>,
  ) {
    return this.change(id, () => this.actions.revokeKey({ operator, reason }, id, key));
  }

  @Route('adminDeleteUser')
  async delete(
    @UserId() own: string,
    @Operator() operator: string,
    @Param('id') id: string,
    @Body({ schema: routes.adminDeleteUser.body }) { reason, confirm }: RouteBody<'adminDeleteUser'>,
  ) {
    if (id === own) throw new AppError('VALIDATION_FAILED', 'Delete your own account in the account dialog.');
    const { email } = await this.requireUser(id);
    if (confirm !== id && confirm.toLowerCase() !== email?.toLowerCase())
      throw new AppError('VALIDATION_FAILED', 'Repeat the email of the user whom you delete.', {
        details: [{ field: 'confirm', message: 'Repeat the email of the user.' }],
      });
    return { receipt: await this.actions.deleteUser({ operator, reason }, id) };
  }

  /** @returns the user after the change. @throws AppError NOT_FOUND */
  private async change(id: string, change: () => Promise<unknown>) {
    await this.requireUser(id);
    await change();
    return this.show(id);
  }

  private async requireUser(id: string): Promise<UserEntity> {
    const user = await this.dataSource.getRepository(UserEntity).findOneBy({ id });
    if (!user) throw userNotFound(id);
    return user;
  }
}
