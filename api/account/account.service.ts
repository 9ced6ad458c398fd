import { Inject, Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ClerkUsers } from '#libs/accounts/clerk/users.js';
import type { Identity } from '#libs/accounts/identity.js';
import { LOCAL_ACCOUNTS, type LocalAccounts } from '#libs/accounts/local/accounts.js';
import { Users } from '#libs/accounts/users.js';
import { type Config, CONFIG } from '#libs/config/environment.js';
import type { Account, Plan, Subscription } from '#libs/contract/account.js';
import { accountDeleted } from '#libs/accounts/lock-user.js';
import { AppError } from '#libs/contract/errors.js';
import { readAccount } from '#libs/billing/account.js';
import { readSubscription } from '#libs/billing/stripe/read-subscription.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { AccountDeletion } from '#libs/accounts/account-deletion.js';

@Injectable()
export class AccountService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: Users,
    private readonly accountEvents: AccountEvents,
    private readonly deletion: AccountDeletion,
    @Inject(CONFIG) private readonly config: Config,
    @Optional() private readonly clerkUsers?: ClerkUsers,
    @Optional() @Inject(LOCAL_ACCOUNTS) private readonly localAccounts?: LocalAccounts,
  ) {}

  /** @throws AppError UNAUTHENTICATED if the account was deleted */
  async read(userId: string): Promise<Account> {
    const account = await readAccount(this.dataSource, userId, this.config.storageQuota, this.config.prices);
    if (!account) throw accountDeleted();
    return account;
  }

  readSubscription(userId: string): Promise<Subscription | null> {
    return readSubscription(this.dataSource, userId);
  }

  /** Lets users switch their own plan to try it out. @throws AppError FORBIDDEN if only operators set plans */
  async setPlan(userId: string, plan: Plan): Promise<Account> {
    if (!this.config.planSwitch)
      throw new AppError('FORBIDDEN', 'Only an operator can change the plan here.');
    await this.users.setPlan(userId, plan, 'user').catch((error: unknown) => {
      // NOT_FOUND means that the account was deleted during this call.
      throw error instanceof AppError && error.code === 'NOT_FOUND' ? accountDeleted() : error;
    });
    await this.accountEvents.accountChanged(userId);
    return this.read(userId);
  }

  /**
   * Deletes the account with all its data. With Clerk, the user is also deleted there, shortly afterwards.
   * @param password needed for local accounts
   * @throws AppError VALIDATION_FAILED if a needed password is missing or wrong
   */
  async delete({ userId, sessionId }: Identity, password?: string, address?: string): Promise<void> {
    const { clerkUsers, localAccounts } = this;
    if (localAccounts) return localAccounts.deleteAccount(sessionId, password, address);
    await this.deletion.delete(
      userId,
      clerkUsers && { first: (transaction) => clerkUsers.recordDeletion(transaction, userId, true) },
    );
  }
}
