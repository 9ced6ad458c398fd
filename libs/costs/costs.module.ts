import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass, value } from '#libs/config/provide-class.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { settleWithin } from '#libs/resilience/policies.js';
import { ProviderBudgets, providerToolsOf } from './provider-budgets.js';
import { ProviderCalls } from './provider-calls.js';

/** Maximum milliseconds that a stopping program spends on storing calls. */
const STORE_WITHIN_MS = 2_000;

/** Records what calls of AI services cost, and keeps to the budgets. Used by api and worker. */
@Global()
@Module({
  providers: [
    provideClass(ProviderCalls, {
      database: DataSource,
      prices: value(({ providerPrices }) => providerPrices),
      onError: value(() => logErrors('Provider calls')),
    }),
    provideClass(ProviderBudgets, {
      database: DataSource,
      budgets: value(({ budgets }) => budgets),
      prices: value(({ providerPrices }) => providerPrices),
      fallback: value(({ ai }) => ai?.fallback ?? null),
      providerTools: value(providerToolsOf),
    }),
  ],
  exports: [ProviderCalls, ProviderBudgets],
})
export class CostsModule implements OnApplicationShutdown {
  constructor(@Inject(ProviderCalls) private readonly calls: ProviderCalls) {}

  /** Stores the last calls. */
  async onApplicationShutdown(): Promise<void> {
    await settleWithin(STORE_WITHIN_MS, () => this.calls.flush()).catch(logErrors('Provider calls'));
  }
}
