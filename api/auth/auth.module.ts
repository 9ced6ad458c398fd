import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_GUARD, ModuleRef } from '@nestjs/core';
import { PinoLogger } from 'nestjs-pino';
import type Stripe from 'stripe';
import { DataSource } from 'typeorm';
import { ApiKeys } from '#libs/api-keys/api-keys.js';
import { APP_TOKENS, createAppTokens } from '#libs/accounts/app-tokens.js';
import { clerkKeys } from '#libs/accounts/clerk/keys.js';
import { ClerkUsers } from '#libs/accounts/clerk/users.js';
import { EndedSessions } from '#libs/accounts/ended-sessions.js';
import { TOKEN_VERIFIER } from '#libs/accounts/identity.js';
import { createLocalAccounts, LOCAL_ACCOUNTS, type LocalAccounts } from '#libs/accounts/local/accounts.js';
import { canAuthorizeApps } from '#libs/accounts/local/app-authorization.js';
import { TOKEN_MINUTES } from '#libs/accounts/local/options.js';
import { Users } from '#libs/accounts/users.js';
import { createTokenVerifier } from '#libs/accounts/token-verifier.js';
import { appScopes } from '#libs/contract/api-keys.js';
import { mcpAddress } from '#libs/config/mcp-address.js';
import type { ClerkConfig } from '#libs/config/clerk.js';
import type { AccountsConfig, Config } from '#libs/config/environment.js';
import { provideClass, value } from '#libs/config/provide-class.js';
import { ConfiguredMailer } from '#libs/mail/configured-mailer.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { paymentPlugins } from '#libs/accounts/local/payment.js';
import { readSubscription } from '#libs/billing/stripe/read-subscription.js';
import { STRIPE } from '#libs/billing/stripe/stripe.module.js';
import { StripeSubscriptions } from '#libs/billing/stripe/subscriptions.js';
import { AccountDeletion } from '#libs/accounts/account-deletion.js';
import { OperatorAccess } from '#libs/operators/operator-access.js';
import { BodyGuard } from '../http/body-guard.js';
import { Callers } from './callers.js';
import { LocalAccountsPool } from './local-accounts-pool.js';
import { TokenGuard } from './token-guard.js';

type LocalConfig = Extract<AccountsConfig, { kind: 'local' }>;

/**
 * Authentication: accounts, the guard that checks the token of each request, and the table of users. Needs a global
 * `DataSource`.
 */
@Module({})
export class AuthModule {
  static forRoot(config: Config): DynamicModule {
    const { accounts } = config;
    const providers =
      accounts.kind === 'local' ? localProviders(config, accounts) : clerkProviders(config, accounts);
    return {
      module: AuthModule,
      global: true,
      providers: [
        ...providers,
        { provide: EndedSessions, useFactory: () => new EndedSessions(TOKEN_LIFE_MS) },
        {
          provide: ApiKeys,
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => new ApiKeys(dataSource, logErrors('ApiKeys')),
        },
        Callers,
        provideClass(OperatorAccess, [
          DataSource,
          value(() => accounts.kind === 'local' && accounts.twoFactorFor === 'operators'),
        ]),
        // In this order.
        { provide: APP_GUARD, useClass: TokenGuard },
        { provide: APP_GUARD, useClass: BodyGuard },
      ],
      exports: [
        TOKEN_VERIFIER,
        APP_TOKENS,
        ApiKeys,
        Callers,
        EndedSessions,
        OperatorAccess,
        Users,
        accounts.kind === 'local' ? LOCAL_ACCOUNTS : ClerkUsers,
      ],
    };
  }
}

/** Lifetime of a token, plus a minute for differing clocks. */
const TOKEN_LIFE_MS = (TOKEN_MINUTES + 1) * 60_000;

/** Optional, since processes without job events do not provide AccountEvents. */
const OPTIONAL_ACCOUNT_EVENTS = { token: AccountEvents, optional: true };

function localProviders(
  { publicUrl, rateLimits, stripe: stripeConfig }: Config,
  { secret, previousSecret, isClientRegistrationOpen }: LocalConfig,
): Provider[] {
  return [
    provideClass(LocalAccountsPool, [
      value(({ databaseUrl }) => databaseUrl),
      value(({ databasePooling }) => databasePooling),
      PinoLogger,
    ]),
    ConfiguredMailer.provider,
    {
      provide: LOCAL_ACCOUNTS,
      inject: [
        LocalAccountsPool,
        ConfiguredMailer,
        PinoLogger,
        Users,
        ModuleRef,
        STRIPE,
        StripeSubscriptions,
        DataSource,
        OPTIONAL_ACCOUNT_EVENTS,
      ],
      useFactory: async (
        { pool }: LocalAccountsPool,
        { mailer }: ConfiguredMailer,
        logger: PinoLogger,
        users: Users,
        modules: ModuleRef,
        stripe: Stripe | null,
        subscriptions: StripeSubscriptions | null,
        dataSource: DataSource,
        accountEvents?: AccountEvents,
      ): Promise<LocalAccounts> => {
        const local = createLocalAccounts({
          pool,
          secret,
          previousSecret,
          publicUrl,
          rateLimits,
          isRegistrationOpen: isClientRegistrationOpen,
          logger,
          mailer,
          async onChange(userId) {
            await users.refresh(userId);
            await accountEvents?.accountChanged(userId);
          },
          onSessionEnded: (session, isRevoked) => accountEvents?.sessionEnded(session, isRevoked),
          // Get AccountDeletion at call time, since its module depends on this module.
          deleteAccount: (userId) => modules.get(AccountDeletion, { strict: false }).delete(userId),
          paymentPlugins:
            stripe && stripeConfig && subscriptions
              ? await paymentPlugins({
                  stripe,
                  config: stripeConfig,
                  async syncSubscriptions(userId) {
                    const outcome = await subscriptions.sync(userId);
                    if (outcome === 'stored') await accountEvents?.accountChanged(userId);
                  },
                  isSubscribed: async (userId) => (await readSubscription(dataSource, userId)) !== null,
                  ensureCustomer: (userId) => subscriptions.ensureCustomer(userId),
                  onError: (error) => logger.warn({ err: error }, 'A call to Stripe failed'),
                })
              : [],
        });
        await local.prepare();
        return local;
      },
    },
    {
      provide: TOKEN_VERIFIER,
      inject: [LOCAL_ACCOUNTS, EndedSessions],
      useFactory: ({ issuer }: LocalAccounts, ended: EndedSessions) =>
        createTokenVerifier(new Map([[publicUrl, issuer]]), (id) => ended.has(id)),
    },
    {
      provide: APP_TOKENS,
      inject: [LOCAL_ACCOUNTS],
      useFactory: ({ issuer }: LocalAccounts) =>
        canAuthorizeApps(publicUrl)
          ? createAppTokens({
              authorizationServer: publicUrl,
              resource: mcpAddress(publicUrl),
              scopes: appScopes,
              issuers: new Map([[publicUrl, issuer.keys]]),
            })
          : null,
    },
    provideClass(Users, [DataSource, value(() => 'local' as const)]),
  ];
}

function clerkProviders({ publicUrl }: Config, clerk: ClerkConfig): Provider[] {
  return [
    {
      provide: TOKEN_VERIFIER,
      useFactory: () => {
        const issuer = { keys: clerkKeys(clerk), authorizedParties: clerk.authorizedParties };
        return createTokenVerifier(new Map(clerk.issuers.map((name) => [name, issuer])));
      },
    },
    {
      provide: APP_TOKENS,
      useFactory: () =>
        clerk.oauthClients.length > 0
          ? createAppTokens({
              authorizationServer: clerk.frontendApi,
              resource: mcpAddress(publicUrl),
              // Clerk's tokens have no scopes but those of its profile.
              scopes: null,
              issuers: new Map(clerk.issuers.map((name) => [name, clerkKeys(clerk)])),
              trustedClients: clerk.oauthClients.map(({ clientId }) => clientId),
            })
          : null,
    },
    provideClass(ClerkUsers, [DataSource, value(() => clerk.premiumPlan)]),
    {
      provide: Users,
      inject: [DataSource, ClerkUsers, OPTIONAL_ACCOUNT_EVENTS],
      useFactory: (dataSource: DataSource, users: ClerkUsers, accountEvents?: AccountEvents) =>
        new Users(dataSource, users, Date.now, async (userId) => accountEvents?.accountChanged(userId)),
    },
  ];
}
