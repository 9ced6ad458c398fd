import { z } from 'zod';
import { monthOf } from '#libs/billing/credits.js';
import { budgetNames, type BudgetName, type Budgets } from '#libs/config/budgets.js';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { queryRow, type Database } from '#libs/database/sql.js';
import { budgetUsed } from '#libs/observability/metrics.js';
import { readBudgetUse } from './provider-budgets.js';

const WARN_FROM = 0.8;

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
    const { database, budgets } = this.deps;
    const names = budgetNames.filter((name) => budgets[name] !== undefined);
    if (names.length === 0) return;
    const month = monthOf(new Date(this.clock.now()));
    const used = await readBudgetUse(database, month, null);
    for (const name of names) {
      const spent =
        name === 'user'
          ? await readHighestOfUser(database, month)
          : used.find(({ budget }) => budget === name)!.spent;
      this.report(name, month, spent / Math.max(1, budgets[name]!));
    }
  }

  private report(budget: BudgetName, month: string, ratio: number): void {
    budgetUsed.set({ budget }, ratio);
    const level = ratio >= 1 ? 'used up' : ratio >= WARN_FROM ? 'nearly used up' : null;
    if (level === null || this.logged.get(budget) === `${month} ${level}`) return;
    this.logged.set(budget, `${month} ${level}`);
    const whose = {
      all: 'of all',
      free: 'of the free plan',
      premium: 'of the premium plan',
      user: 'of a user',
    };
    this.deps.warn({ budget, ratio }, `The monthly budget ${whose[budget]} for AI services is ${level}`);
  }
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
