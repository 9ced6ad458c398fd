import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { AccountEvents } from '../account-events.js';
import { createClerkApi } from './api.js';
import { ClerkSync } from './sync.js';
import { ClerkUsers } from './users.js';

/** Provides `ClerkSync`, or null for it if local accounts are configured. */
@Module({
  providers: [
    {
      provide: ClerkSync,
      inject: [DataSource, AccountEvents, CONFIG],
      useFactory: (dataSource: DataSource, events: AccountEvents, { accounts }: Config) =>
        accounts.kind === 'clerk'
          ? new ClerkSync(
              dataSource,
              new ClerkUsers(dataSource, accounts.premiumPlan),
              createClerkApi(accounts),
              (userId) => events.accountChanged(userId),
              logErrors('Clerk'),
            )
          : null,
    },
  ],
  exports: [ClerkSync],
})
export class ClerkSyncModule {}
