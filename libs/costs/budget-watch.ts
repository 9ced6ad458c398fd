import { z } from 'zod';
import { monthOf } from '#libs/billing/credits.js';
import { budgetNames, type BudgetName, type Budgets } from '#libs/config/budgets.js';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { queryRow, type Database } from '#libs/database/sql.js';
import { budgetUsed } from '#libs/observability/metrics.js';
import { readBudgetUse } from './provider-budgets.js';

/** Part of a budget from which operators are warned. */
export const WARN_FROM = 0.8;

export const budgetTitles: Record<BudgetName, string> = {
  all: 'The monthly budget for AI services',
  free: 'The monthly budget of the free plan for AI services',
  premium: 'The monthly budget of the premium plan for AI services',
  user: 'The monthly budget of a user for AI services',
};

export interface BudgetWatchDeps {
  database: Database;
  budgets: Budgets;
  warn: (fields: object, message: string) => void;
  clock?: Clock;
}

/** Sets the metric of each budget, and logs a line when a budget reaches 80 % and when it is used up. */
export class BudgetWatch {
  private readonly clock: Clock;
  private readonly logged = new Map<BudgetName, string>();

  constructor(private readonly deps: BudgetWatchDeps) {
    this.clock = deps.clock ?? systemClock;
  }

  async pass(): Promise<void> {
    const month = monthOf(new Date(this.clock.now()));
    for (const { budget, ratio } of await readBudgetRatios(this.deps.database, this.deps.budgets, month)) {
      budgetUsed.set({ budget }, ratio);
      this.log(budget, month, ratio);
    }
  }

  private log(budget: BudgetName, month: string, ratio: number): void {
    const level = ratio >= 1 ? 'used up' : ratio >= WARN_FROM ? 'nearly used up' : null;
    if (level === null || this.logged.get(budget) === `${month} ${level}`) return;
    this.logged.set(budget, `${month} ${level}`);
    this.deps.warn({ budget, ratio }, `${budgetTitles[budget]} is ${level}`);
  }
}

/** The used part of each budget that is set; of `user`, that of the user who used most. */
export async function readBudgetRatios(
  database: Database,
  budgets: Budgets,
  month: string,
): Promise<{ budget: BudgetName; ratio: number }[]> {
  const names = budgetNames.filter((name) => budgets[name] !== undefined);
  if (names.length === 0) return [];
  const used = await readBudgetUse(database, month, null);
  const highest = budgets.user === undefined ? 0 : await readHighestOfUser(database, month);
  return names.map((budget) => {
    const spent = budget === 'user' ? highest : used.find((one) => one.budget === budget)!.spent;
    return { budget, ratio: spent / Math.max(1, budgets[budget]!) };
  });
}

/** The highest spending of a user in a month. */
async function readHighestOfUser(database: Database, month: string): Promise<number> {
  const row = await queryRow(
    database,
    z.object({ cost: z.coerce.number() }),
    `SELECT coalesce(max(cost), 0) AS cost FROM (
       SELECT sum(cost) AS cost FROM provider_calls
       WHERE started_at >= $1::date::timestamp AT TIME ZONE 'UTC' AND user_id IS NOT NULL AND status <> 'running'
       GROUP BY user_id) AS users`,
    [month],
  );
  return row!.cost;
}
