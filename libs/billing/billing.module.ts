import { Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { LiveAccountEvents } from './live-account-events.js';
import { RECLAIM_STORAGE, type ReclaimStorage } from './storage-quota.js';

/** Credits and storage of users. */
@Module({})
export class BillingModule {
  static forRoot(reclaimStorage: ReclaimStorage): DynamicModule {
    return {
      module: BillingModule,
      global: true,
      providers: [
        { provide: RECLAIM_STORAGE, useValue: reclaimStorage },
        {
          provide: AccountEvents,
          inject: [DataSource, SocketServer, CONFIG],
          useFactory: (dataSource: DataSource, live: SocketServer, { storageQuota }: Config) =>
            new LiveAccountEvents(dataSource, live, storageQuota, logErrors('Account events')),
        },
      ],
      exports: [RECLAIM_STORAGE, AccountEvents],
    };
  }
}
