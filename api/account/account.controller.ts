import { Body, Controller, Ip, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Identity } from '#libs/accounts/identity.js';
import { routes, type RouteBody } from '#libs/contract/routes/table.js';
import { CurrentIdentity, Route, UserId } from '../http/route.js';
import { AccountExports } from './exports.service.js';
import { AccountService } from './account.service.js';

@Controller()
export class AccountController {
  constructor(
    private readonly account: AccountService,
    private readonly exports: AccountExports,
  ) {}

  @Route('getAccount')
  read(@UserId() userId: string) {
    return this.account.read(userId);
  }

  @Route('getSubscription')
  async readSubscription(@UserId() userId: string) {
    return { subscription: await this.account.readSubscription(userId) };
  }

  @Route('removeAccount')
  async delete(
    @CurrentIdentity() identity: Identity,
    @Body({ schema: routes.removeAccount.body }) { password }: RouteBody<'removeAccount'>,
    @Ip() address: string,
  ) {
    await this.account.delete(identity, password, address);
    return { message: 'Your account and everything in it were removed.' };
  }

  @Route('exportAccount')
  export(@UserId() userId: string) {
    return this.exports.create(userId);
  }

  @Route('getAccountExport')
  async sendExport(@Param('key') key: string, @Res() response: Response): Promise<void> {
    await this.exports.send(key, response);
  }

  @Route('setPlan')
  setPlan(@UserId() userId: string, @Body({ schema: routes.setPlan.body }) { plan }: RouteBody<'setPlan'>) {
    return this.account.setPlan(userId, plan);
  }
}
