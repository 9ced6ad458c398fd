import { Body, Controller, Delete, Get, HttpCode, Inject, Optional, Post } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { z } from 'zod';
import { ClerkUsers } from '#libs/accounts/clerk/users.js';
import type { Identity } from '#libs/accounts/identity.js';
import { Users } from '#libs/accounts/users.js';
import type { Config } from '#libs/config/environment.js';
import { setPlanSchema, type Account } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { CONFIG } from '#libs/platform/platform.module.js';
import { CurrentIdentity } from '../http/current-identity.js';
import { accountAnswer } from './account-answer.js';
import { AccountRemoval } from './account-removal.js';

@Controller('api/user')
export class AccountController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: Users,
    private readonly jobEvents: JobEvents,
    private readonly removal: AccountRemoval,
    @Inject(CONFIG) private readonly config: Config,
    @Optional() private readonly hosted?: ClerkUsers,
  ) {}

  @Get('account')
  async account(@CurrentIdentity() { userId }: Identity): Promise<{ success: true } & Account> {
    return accountAnswer(this.dataSource, userId);
  }

  /** Removes everything the caller has here, the account itself included: with Clerk its user too, a moment later. */
  @Delete('account')
  async remove(@CurrentIdentity() { userId }: Identity): Promise<object> {
    const { hosted } = this;
    await this.removal.remove(
      userId,
      hosted && ((transaction) => hosted.noteRemoval(transaction, userId, true)),
    );
    return { success: true, message: 'Your account and everything in it were removed.' };
  }

  /** Switches the caller's own plan for trial, where the operator allows it. */
  @Post('plan')
  @HttpCode(200)
  async setPlan(
    @CurrentIdentity() identity: Identity,
    @Body({ schema: setPlanSchema }) { plan }: z.infer<typeof setPlanSchema>,
  ): Promise<{ success: true } & Account> {
    if (!this.config.planSwitch) throw new AppError('FORBIDDEN', 'Here an operator sets the plan.');
    await this.users.setPlan(identity.userId, plan);
    await this.jobEvents.accountChanged(identity.userId);
    return this.account(identity);
  }
}
