import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PinoLogger } from 'nestjs-pino';
import { DataSource } from 'typeorm';
import { TOKEN_VERIFIER } from '#libs/accounts/identity.js';
import { createLocalAccounts, type LocalAccounts } from '#libs/accounts/local/accounts.js';
import { People } from '#libs/accounts/people.js';
import { createTokenVerifier } from '#libs/accounts/token-verifier.js';
import type { Config } from '#libs/config/environment.js';
import { LOCAL_ACCOUNTS, LocalAccountsPool } from './local-accounts-pool.js';
import { TokenGuard } from './token-guard.js';

/** Who is calling: accounts, the token guard before every route, and the people's rows. Needs a global `DataSource`. */
@Module({})
export class AuthModule {
  static forRoot(config: Config): DynamicModule {
    const { accounts } = config;
    if (accounts.kind !== 'local')
      throw new Error('This version has no hosted accounts; the configuration refuses them.');
    return {
      module: AuthModule,
      global: true,
      providers: [
        {
          provide: LocalAccountsPool,
          inject: [PinoLogger],
          useFactory: (logger: PinoLogger) => new LocalAccountsPool(config.databaseUrl, logger),
        },
        {
          provide: LOCAL_ACCOUNTS,
          inject: [LocalAccountsPool, PinoLogger],
          useFactory: async ({ pool }: LocalAccountsPool, logger: PinoLogger): Promise<LocalAccounts> => {
            const { publicUrl, rateLimits } = config;
            const local = createLocalAccounts({
              pool,
              secret: accounts.secret,
              publicUrl,
              rateLimits,
              logger,
            });
            await local.prepare();
            return local;
          },
        },
        {
          provide: TOKEN_VERIFIER,
          inject: [LOCAL_ACCOUNTS],
          useFactory: ({ issuer }: LocalAccounts) =>
            createTokenVerifier(new Map([[config.publicUrl, issuer]])),
        },
        {
          provide: People,
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => new People(dataSource, accounts.kind),
        },
        { provide: APP_GUARD, useClass: TokenGuard },
      ],
      exports: [LOCAL_ACCOUNTS, TOKEN_VERIFIER, People],
    };
  }
}
