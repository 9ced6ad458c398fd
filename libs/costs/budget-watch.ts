import { z } from 'zod';
import { monthOf } from '#libs/billing/credits.js';
import type { Budgets } from '#libs/config/budgets.js';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { budgetNames, type BudgetName } from '#libs/contract/admin.js';
import { queryRows, type Database } from '#libs/database/sql.js';
import { budgetUsed } from '#libs/observability/metrics.js';
import { readBudgetUse } from './provider-budgets.js';

/** Part of a budget from which operators are warned. */
export const WARN_FROM = 0.8;

/** `userId` is set for the budget `user`. */
export interface BudgetRatio {
  budget: BudgetName;
  userId?: string;
  ratio: number;
}

export const budgetTitle = ({ budget, userId = '' }: BudgetRatio): string =>
  ({
    all: 'The monthly budget for AI services',
    free: 'The monthly budget of the free plan for AI services',
    premium: 'The monthly budget of the premium plan for AI services',
    user: `The monthly budget of the user ${userId} for AI services`,
  })[budget];

/** Users who are listed as near or over their budget, those who used most. */
const USERS_LISTED = 100;

export interface BudgetWatchDeps {
  database: Database;
  budgets: Budgets;
  warn: (fields: object, message: string) => void;
  clock?: Clock;
}

/** Sets the metric of each budget, and logs a line when a budget reaches 80 % and when it is used up. */
export class BudgetWatch {
  private readonly clock: Clock;
  private readonly logged = new Map<string, string>();

  constructor(private readonly deps: BudgetWatchDeps) {
    this.clock = deps.clock ?? systemClock;
  }

  async pass(): Promise<void> {
    const month = monthOf(new Date(this.clock.now()));
    const ratios = await readBudgetRatios(this.deps.database, this.deps.budgets, month);
    // The user who spent most is first in the list, so set last.
    for (const { budget, ratio } of ratios.toReversed()) budgetUsed.set({ budget }, ratio);
    for (const ratio of ratios) this.log(month, ratio);
  }

  private log(month: string, of: BudgetRatio): void {
    const { budget, userId, ratio } = of;
    const key = `${budget} ${userId ?? ''}`;
    const level = ratio >= 1 ? 'used up' : ratio >= WARN_FROM ? 'nearly used up' : null;
    if (level === null || this.logged.get(key) === `${month} ${level}`) return;
    this.logged.set(key, `${month} ${level}`);
    this.deps.warn({ budget, userId, ratio }, `${budgetTitle(of)} is ${level}`);
  }
}

/**
 * The used part of each budget that is set; of `user`, that of the user who used most, and of others from {@link WARN_FROM} on.
 */
export async function readBudgetRatios(
  database: Database,
  budgets: Budgets,
  month: string,
): Promise<BudgetRatio[]> {
  const names = budgetNames.filter((name) => budgets[name] !== undefined);
  if (names.length === 0) return [];
  const used = await readBudgetUse(database, month, null);
  const users = budgets.user === undefined ? [] : await readHighestUsers(database, month, USERS_LISTED);
  return names.flatMap((budget): BudgetRatio[] => {
    const limit = Math.max(1, budgets[budget]!);
    if (budget !== 'user')
      return [{ budget, ratio: used.find((one) => one.budget === budget)!.spent / limit }];
    if (users.length === 0) return [{ budget, ratio: 0 }];
    return users
      .map(({ userId, spent }) => ({ budget, userId, ratio: spent / limit }))
      .filter(({ ratio }, place) => place === 0 || ratio >= WARN_FROM);
  });
}

/** The users who spent most in a month, the highest first. @param month first day of the month */
export const readHighestUsers = (database: Database, month: string, limit: number) =>
  queryRows(
    database,
    z.object({ userId: z.string(), spent: z.coerce.number() }),
    `SELECT user_id AS "userId", sum(cost) AS spent FROM provider_calls
     WHERE started_at >= $1::date::timestamp AT TIME ZONE 'UTC' AND user_id IS NOT NULL AND status <> 'running'
     GROUP BY user_id HAVING sum(cost) > 0 ORDER BY spent DESC, user_id LIMIT $2`,
    [month, limit],
  );
