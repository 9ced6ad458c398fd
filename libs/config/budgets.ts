import type { BudgetName } from '#libs/contract/admin.js';
import { ConfigurationError } from './configuration-error.js';
import type { ProviderPrices } from './provider-prices.js';
import type { Variables } from './variables.js';

/** What AI services may cost in a month, in millionths of the price list's currency. A budget that is not set is missing. */
export type Budgets = Partial<Record<BudgetName, number>>;

/** @throws ConfigurationError if there are budgets and no prices */
export function readBudgets(v: Variables, prices: ProviderPrices | null): Budgets {
  const set = {
    all: v.BUDGET_MONTHLY,
    free: v.BUDGET_MONTHLY_FREE,
    premium: v.BUDGET_MONTHLY_PREMIUM,
    user: v.BUDGET_MONTHLY_USER,
  };
  const budgets = Object.fromEntries(
    Object.entries(set).flatMap(([name, amount]) =>
      amount === undefined ? [] : [[name, Math.round(amount * 1_000_000)]],
    ),
  );
  if (Object.keys(budgets).length > 0 && !prices)
    throw new ConfigurationError('PRICES_PROVIDER must be set when a BUDGET_MONTHLY variable is.');
  return budgets;
}
