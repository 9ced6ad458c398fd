import { Body, Controller, Ip } from '@nestjs/common';
import type { Identity } from '#libs/accounts/identity.js';
import { routes, type Answer, type RouteBody } from '#libs/contract/routes/table.js';
import { CurrentIdentity, Route } from '../http/route.js';
import { AccountService } from './account.service.js';

@Controller()
export class AccountController {
  constructor(private readonly account: AccountService) {}

  @Route('getAccount')
  async read(@CurrentIdentity() { userId }: Identity): Promise<Answer<'getAccount'>> {
    return { success: true, ...(await this.account.read(userId)) };
  }

  @Route('removeAccount')
  async delete(
    @CurrentIdentity() identity: Identity,
    @Body({ schema: routes.removeAccount.body }) { password }: RouteBody<'removeAccount'>,
    @Ip() address: string,
  ): Promise<Answer<'removeAccount'>> {
    await this.account.delete(identity, password, address);
    return { success: true, message: 'Your account and everything in it were removed.' };
  }

  @Route('setPlan')
  async setPlan(
    @CurrentIdentity() { userId }: Identity,
    @Body({ schema: routes.setPlan.body }) { plan }: RouteBody<'setPlan'>,
  ): Promise<Answer<'setPlan'>> {
    return { success: true, ...(await this.account.setPlan(userId, plan)) };
  }
}
