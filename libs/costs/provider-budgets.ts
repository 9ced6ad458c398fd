import { z } from 'zod';
import type { AiProvider } from '#libs/ai/engine.js';
import { monthOf, nextMonth } from '#libs/billing/credits.js';
import type { Budgets } from '#libs/config/budgets.js';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { Config } from '#libs/config/environment.js';
import type { ProviderPrices } from '#libs/config/provider-prices.js';
import type { Plan } from '#libs/contract/account.js';
import { budgetNames, type BudgetName } from '#libs/contract/admin.js';
import { AppError } from '#libs/contract/errors.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { queryRow, queryRows, type Database } from '#libs/database/sql.js';
import { untilAborted } from '#libs/resilience/until-aborted.js';
import { tools, type ToolName } from '#libs/tools/catalogue.js';
import { estimateAttempt } from './attempt-estimate.js';
import { priceOf } from './call-cost.js';
import { LOST_AFTER_MINUTES } from './lost-calls.js';

/** Seconds for which the highest cost of a tool is remembered. */
const HIGHEST_SECONDS = 10;
const ASK_EVERY_MS = 250;
/** Milliseconds for which a job waits in its slot. */
const WAIT_MS = 5_000;
/**
 * If a worker dies and no later attempt of the job reserves, its reservation ends once its calls are counted as lost, which a
 * worker does every minute.
 */
const RESERVATION_SECONDS = (LOST_AFTER_MINUTES + 5) * 60;

type Models = Pick<AiProvider, 'textModel' | 'imageModel'>;

export interface ProviderBudgetsDeps {
  database: Database;
  budgets: Budgets;
  prices: ProviderPrices | null;
  /** Models of the AI service that is called while the main one fails. */
  fallback?: Models | null;
  /** Tools that the operator wants to run with the AI service only. */
  providerTools: readonly ToolName[];
  clock?: Clock;
}

/** Tools that the operator wants to run with the AI service only. */
export const providerToolsOf = ({
  engines,
  chosenEngines,
}: Pick<Config, 'engines' | 'chosenEngines'>): ToolName[] =>
  chosenEngines.filter((tool) => engines[tool] === 'openai');

/** The jobs that run have reserved what is left of a budget. */
export class BudgetReserved extends Error {
  override name = 'BudgetReserved';
}

/** `usedUp`: the budget that has no room. Without budgets nothing is reserved. */
export interface Reservation {
  isReserved: boolean;
  usedUp: BudgetName | null;
}

export interface ReservationRequest {
  /** Identifies the attempt, so that a repeated request reserves once. A UUID. */
  id: string;
  job: Pick<JobEntity, 'id' | 'attempts' | 'userId' | 'priority' | 'size'>;
  tool: ToolName;
  input: unknown;
  provider: Models;
}

/**
 * Monthly budgets for AI services. An attempt reserves what it may cost before its first call. While a budget is used up,
 * jobs run on this server, and tools that cannot are refused.
 */
export class ProviderBudgets {
  private readonly clock: Clock;
  private readonly highest = new Map<ToolName, { cost: number; at: number }>();

  constructor(private readonly deps: ProviderBudgetsDeps) {
    this.clock = deps.clock ?? systemClock;
  }

  /**
   * Reserves the most that the attempt may cost by its input, and at least the highest cost of recent jobs of the tool. Ends the
   * reservations of earlier attempts of the job. Waits some seconds while running jobs have reserved what is left of a budget.
   * @throws BudgetReserved
   */
  async reserve(request: ReservationRequest, signal: AbortSignal): Promise<Reservation> {
    const { id, job } = request;
    const { id: jobId, attempts: attempt, userId, priority } = job;
    const plan = priority === 'premium' ? 'premium' : 'free';
    const limits = this.limitsOf(plan);
    if (Object.keys(limits).length === 0) return { isReserved: false, usedUp: null };
    const until = this.clock.elapsed() + WAIT_MS;
    for (;;) {
      const reservation = {
        ...{ id, jobId, attempt, userId, plan, limits, month: this.month, seconds: RESERVATION_SECONDS },
        cost: Math.max(1, this.estimate(request), await this.highestCost(request.tool)),
      };
      const answer = await queryRow(
        this.deps.database,
        z.object({ usedUp: z.enum([...budgetNames, 'wait']).nullable() }),
        `SELECT reserve_provider_budget($1) AS "usedUp"`,
        [JSON.stringify(reservation)],
      );
      const usedUp = answer!.usedUp;
      if (usedUp !== 'wait') return { isReserved: usedUp === null, usedUp };
      if (this.clock.elapsed() >= until) throw new BudgetReserved();
      await untilAborted(new Promise<void>((resolve) => this.clock.after(ASK_EVERY_MS, resolve)), signal);
    }
  }

  /**
   * Refuses a job that only the AI service may do while its budget is used up. Other jobs can run on this server.
   * @throws AppError BUDGET_EXHAUSTED
   */
  async requireRoom(userId: string, tool: ToolName, database = this.deps.database): Promise<void> {
    if (!this.needsProvider(tool)) return;
    const usedUp = await this.findUsedUp(userId, database);
    if (usedUp) throw this.exhausted(usedUp);
  }

  /**
   * Refuses a call that no job makes while a budget is used up, unless the model costs nothing.
   * @throws AppError BUDGET_EXHAUSTED
   */
  async requireRoomForCall(userId: string, model: string): Promise<void> {
    const price = this.deps.prices?.models[model];
    if (price && Object.values(price).every((amount) => amount === 0)) return;
    const usedUp = await this.findUsedUp(userId, this.deps.database);
    if (usedUp) throw this.exhausted(usedUp);
  }

  private async findUsedUp(userId: string, database: Database): Promise<BudgetName | undefined> {
    if (Object.keys(this.deps.budgets).length === 0) return undefined;
    const user = await database.getRepository(UserEntity).findOneBy({ id: userId });
    const limits = this.limitsOf(user?.plan ?? 'free');
    const used = await readBudgetUse(database, this.month, userId);
    return used.find(({ budget, spent }) => spent >= (limits[budget] ?? Infinity))?.budget;
  }

  /** True if only the AI service may do the tool's jobs. */
  needsProvider(tool: ToolName): boolean {
    return this.deps.providerTools.includes(tool);
  }

  /** @param refund says that the credit was given back */
  exhausted(budget: BudgetName, refund = ''): AppError {
    const renewsAt = nextMonth(this.month);
    const day = renewsAt.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
    const whose = budget === 'user' ? 'Your part of this month’s budget' : 'This month’s budget';
    return new AppError(
      'BUDGET_EXHAUSTED',
      `${whose} for the AI service is used up, and this cannot be done without it.${refund} The budget renews on ${day}.`,
      { details: { renewsAt: renewsAt.toISOString() } },
    );
  }

  private get month() {
    return monthOf(new Date(this.clock.now()));
  }

  private limitsOf(plan: Plan): Budgets {
    const { all, user, [plan]: ofPlan } = this.deps.budgets;
    return {
      ...(all !== undefined && { all }),
      ...(ofPlan !== undefined && { [plan]: ofPlan }),
      ...(user !== undefined && { user }),
    };
  }

  /** By the price of the main service or the fallback, whichever costs more. */
  private estimate({ tool, input, job: { size }, provider }: ReservationRequest): number {
    const { prices, fallback } = this.deps;
    if (!prices) return 0;
    const kind = tools[tool].queue === 'image' ? 'imageModel' : 'textModel';
    const possible = [
      priceOf(prices, 'main', provider[kind]),
      fallback ? priceOf(prices, 'fallback', fallback[kind]) : undefined,
    ];
    const costs = possible.map((price) => (price ? estimateAttempt({ tool, input, size }, price) : 0));
    return Math.round(Math.max(...costs));
  }

  private async highestCost(tool: ToolName): Promise<number> {
    const known = this.highest.get(tool);
    if (known && this.clock.elapsed() - known.at < HIGHEST_SECONDS * 1_000) return known.cost;
    const cost = await readHighestCost(this.deps.database, tool);
    if (cost !== null) this.highest.set(tool, { cost, at: this.clock.elapsed() });
    return cost ?? 0;
  }
}

/** The highest cost of an attempt among the latest calls of a tool. Null if there are none. */
async function readHighestCost(database: Database, tool: ToolName): Promise<number | null> {
  const row = await queryRow(
    database,
    z.object({ cost: z.coerce.number().nullable() }),
    `SELECT max(cost) AS cost FROM (
       SELECT sum(cost) AS cost FROM (
         SELECT job_id, attempt, cost FROM provider_calls
         WHERE tool = $1 AND cost > 0 ORDER BY started_at DESC LIMIT 200) AS latest
       GROUP BY job_id, attempt) AS attempts`,
    [tool],
  );
  return row?.cost ?? null;
}

const useSchema = z.object({
  budget: z.enum(budgetNames),
  spent: z.coerce.number(),
  reserved: z.coerce.number(),
});

/** @param month first day of the month @param userId of `user` */
export const readBudgetUse = (database: Database, month: string, userId: string | null) =>
  queryRows(database, useSchema, `SELECT * FROM provider_budget_use($1, $2)`, [userId, month]);
