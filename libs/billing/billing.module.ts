import { Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass, value } from '#libs/config/provide-class.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { LiveAccountEvents } from './live-account-events.js';
import { RECLAIM_STORAGE, type ReclaimStorage } from './storage-quota.js';

/** Credits and storage quota of users. */
@Module({})
export class BillingModule {
  static forRoot(reclaimStorage: ReclaimStorage): DynamicModule {
    return {
      module: BillingModule,
      global: true,
      providers: [
        { provide: RECLAIM_STORAGE, useValue: reclaimStorage },
        {
          ...provideClass(LiveAccountEvents, [
            DataSource,
            SocketServer,
            value(({ storageQuota }) => storageQuota),
            value(() => logErrors('Account events')),
            value(({ prices }) => prices),
          ]),
          provide: AccountEvents,
        },
      ],
      exports: [RECLAIM_STORAGE, AccountEvents],
    };
  }
}
