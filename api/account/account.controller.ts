import { Body, Controller, Inject, Ip, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { dismissGuessedCodes, readGuessedCodes } from '#libs/accounts/guessed-codes.js';
import type { Identity } from '#libs/accounts/identity.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { listReceipts, readUsage } from '#libs/jobs/usage.js';
import { CurrentIdentity, Route, UserId } from '../http/route.js';
import { AccountExports } from './exports.service.js';
import { AccountService } from './account.service.js';

@Controller()
export class AccountController {
  constructor(
    private readonly account: AccountService,
    private readonly exports: AccountExports,
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Pick<Config, 'prices'>,
  ) {}

  @Route('getAccount')
  read(@UserId() userId: string) {
    return this.account.read(userId);
  }

  @Route('getSubscription')
  async readSubscription(@UserId() userId: string) {
    return { subscription: await this.account.readSubscription(userId) };
  }

  @Route('getGuessedCodes')
  async readGuessedCodes(@UserId() userId: string) {
    return { guessedCodes: await readGuessedCodes(this.dataSource, userId) };
  }

  @Route('dismissGuessedCodes')
  async dismissGuessedCodes(@UserId() userId: string) {
    await dismissGuessedCodes(this.dataSource, userId);
    return { guessedCodes: null };
  }

  @Route('getUsage')
  async usage(
    @UserId() userId: string,
    @Query({ schema: routes.getUsage.query }) { month }: RouteQuery<'getUsage'>,
  ) {
    return { usage: await readUsage(this.dataSource, userId, month) };
  }

  @Route('listReceipts')
  receipts(
    @UserId() userId: string,
    @Query({ schema: routes.listReceipts.query }) query: RouteQuery<'listReceipts'>,
  ) {
    return listReceipts(this.dataSource, userId, { ...query, prices: this.config.prices });
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
