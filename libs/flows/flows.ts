import { randomUUID } from 'node:crypto';
import { In, IsNull, type DataSource } from 'typeorm';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { defaultPrices, type Prices } from '#libs/config/prices.js';
import {
  chosenSteps,
  MAX_OPEN_FLOWS,
  type FlowName,
  type Flow,
  type FlowListQuery,
} from '#libs/contract/flows.js';
import { requireStorable } from '#libs/contract/validation.js';
import { AppError } from '#libs/contract/errors.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import { FlowEntity, FlowStepEntity } from '#libs/database/entities/flows.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { execute, type Transaction } from '#libs/database/sql.js';
import { creditsCharged } from '#libs/observability/metrics.js';
import { tools } from '#libs/tools/catalogue.js';
import { flows } from '#libs/tools/flows.js';
import { countApiKeyJobs, requireApiKeyCaps } from '#libs/billing/api-key-caps.js';
import { chargeCredits, insufficientCredits, monthOf } from '#libs/billing/credits.js';
import { readFlows, toFlow } from './flow-rows.js';
import type { FlowRuns } from './flow-runs.js';
import { countRefunds, endFlow, leaveOutSteps, flowNotFound } from './flow-steps.js';
import { findByIdempotencyKey, hashRequest } from '#libs/jobs/idempotency.js';
import { ignoreEnded, type JobLifecycle } from '#libs/jobs/lifecycle.js';
import type { AccountEvents } from '#libs/accounts/account-events.js';
import { lockUser } from '#libs/accounts/lock-user.js';
import { requirePlan } from '#libs/billing/plan.js';
import type { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import type { FlowEvents } from './flow-events.js';
import { lockFiles } from '#libs/jobs/submitted-files.js';

export interface FlowsDeps {
  dataSource: DataSource;
  lifecycle: Pick<JobLifecycle, 'cancel'>;
  runs: Pick<FlowRuns, 'advance'>;
  /** Optional, since the worker checks the budgets again. */
  budgets?: Pick<ProviderBudgets, 'requireRoom'>;
  flowEvents: Pick<FlowEvents, 'flowChanged'>;
  accountEvents: Pick<AccountEvents, 'accountChanged'>;
  /** Default: the prices of the tools' contracts. */
  prices?: Prices;
  clock?: Clock;
}

export interface NewFlow {
  flow: FlowName;
  /** Input as parsed by the flow's schema. */
  input: Record<string, unknown>;
  /** Names of the steps' tools. */
  steps: string[];
  /** Object keys of uploaded files, by input field. */
  files?: Record<string, string>;
  idempotencyKey?: string;
  /** Key of the program that sent the request. */
  apiKeyId?: string;
}

/**
 * Flows: several tools that run one after another. A flow is charged as a whole on creation, with one ledger entry per
 * step under the id reserved for its job. {@link FlowRuns} creates the job when the previous step has succeeded. Flows
 * of other users throw NOT_FOUND.
 */
export class Flows {
  private readonly clock: Clock;
  private readonly prices: Prices;

  constructor(private readonly deps: FlowsDeps) {
    this.clock = deps.clock ?? systemClock;
    this.prices = deps.prices ?? defaultPrices;
  }

  /**
   * Charges all steps or none, and starts the first step.
   * @returns the flow and its files
   * @throws AppError PREMIUM_REQUIRED, INSUFFICIENT_CREDITS, RATE_LIMITED, IDEMPOTENCY_MISMATCH, BUDGET_EXHAUSTED,
   *   VALIDATION_FAILED
   */
  async create(userId: string, flow: NewFlow): Promise<{ flow: Flow; files: Record<string, string> }> {
    requireStorable(flow.input);
    const { id, files, charged } = await this.deps.dataSource.transaction((transaction) =>
      this.store(transaction, userId, flow),
    );
    for (const { tool, credits } of charged) if (credits > 0) creditsCharged.inc({ tool }, credits);
    if (charged.length > 0) {
      void this.deps.accountEvents.accountChanged(userId);
      await this.deps.runs.advance(id);
      void this.deps.flowEvents.flowChanged(id);
    }
    return { flow: await this.get(userId, id), files };
  }

  private async store(
    transaction: Transaction,
    userId: string,
    { flow, input, steps: named, files = {}, idempotencyKey, apiKeyId }: NewFlow,
  ): Promise<{ id: string; files: Record<string, string>; charged: { tool: string; credits: number }[] }> {
    const user = await lockUser(transaction, userId);
    const locked = await lockFiles(transaction, userId, files, undefined);
    const chosen = chosenSteps(flow, named);
    const request = { input, steps: chosen.map(({ tool }) => tool) };
    const requestHash = hashRequest(`flow ${flow}`, request, locked);
    if (idempotencyKey !== undefined) {
      const key = { userId, idempotencyKey, requestHash };
      const earlier = await findByIdempotencyKey(transaction, FlowEntity, 'ended_at IS NOT NULL', key);
      if (earlier) return { id: earlier.id, files: earlier.files, charged: [] };
    }
    for (const { tool } of chosen) requirePlan(user, tools[tool]);
    for (const { tool } of chosen) await this.deps.budgets?.requireRoom(userId, tool, transaction);
    await requireFewOpen(transaction, userId);

    const id = randomUUID();
    const steps = chosen.map((step) => ({
      ...step,
      flowId: id,
      jobId: randomUUID(),
      credits: user.plan === 'premium' ? 0 : this.prices.tools[step.tool],
      price: this.prices.tools[step.tool],
    }));
    const month = monthOf(new Date(this.clock.now()));
    const monthlyCredits = this.prices.grants.free;
    const total = steps.reduce((sum, { credits }) => sum + credits, 0);
    const use = apiKeyId === undefined ? null : { apiKeyId, month, jobs: steps.length };
    if (use) await requireApiKeyCaps(transaction, { ...use, credits: total });
    for (const { jobId, credits: amount } of steps) {
      if (
        amount > 0 &&
        !(await chargeCredits(transaction, { userId, month, amount, jobId, apiKeyId, monthlyCredits }))
      )
        throw insufficientCredits(month, total);
    }
    const names = Object.fromEntries(locked.map(({ field, name }) => [field, name]));
    await transaction.insert(FlowEntity, {
      id,
      userId,
      flow,
      title: flows[flow].titleOf(input, names),
      input: input as object,
      files,
      chargeMonth: total > 0 ? month : null,
      idempotencyKey,
      requestHash,
    });
    await transaction.insert(FlowStepEntity, steps);
    if (use) await countApiKeyJobs(transaction, use);
    return { id, files, charged: steps };
  }

  /** @throws AppError VALIDATION_FAILED if the cursor is invalid */
  async list(
    userId: string,
    { cursor, limit }: FlowListQuery,
  ): Promise<{ flows: Flow[]; nextCursor: string | null }> {
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const found = await readFlows(
      this.deps.dataSource,
      `user_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
       ORDER BY created_at DESC, id DESC LIMIT $4::integer + 1`,
      [userId, after?.time ?? null, after?.id ?? null, limit],
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      flows: page.map(toFlow),
      nextCursor: found.length > limit && last ? encodeCursor(last.created_at, last.id) : null,
    };
  }

  /** @throws AppError NOT_FOUND */
  async get(userId: string, id: string): Promise<Flow> {
    const [row] = await readFlows(this.deps.dataSource, `id = $1 AND user_id = $2`, [id, userId]);
    if (!row) throw flowNotFound();
    return toFlow(row);
  }

  /**
   * Gives a flow the title that one of its steps waits for, and starts that step. Does nothing if it was chosen before.
   * @throws AppError NOT_FOUND; VALIDATION_FAILED if the flow does not wait for another title
   */
  async chooseTitle(userId: string, id: string, title: string): Promise<Flow> {
    const { dataSource, runs, flowEvents } = this.deps;
    requireStorable({ title });
    const waits = await this.get(userId, id);
    const chosen =
      waits.awaitsTitleFrom === null
        ? 0
        : await execute(
            dataSource,
            `UPDATE flows SET input = input || jsonb_build_object('title', $3::text), revision = revision + 1
             WHERE id = $1 AND user_id = $2 AND ended_at IS NULL AND NOT input ? 'title'`,
            [id, userId, title],
          );
    if (chosen === 0) {
      const flow = await dataSource.getRepository(FlowEntity).findOneBy({ id, userId });
      if (flow?.input['title'] === title) return this.get(userId, id);
      throw notWaiting();
    }
    await runs.advance(id);
    void flowEvents.flowChanged(id);
    return this.get(userId, id);
  }

  /**
   * Refunds steps that did not start and cancels unfinished jobs. Creations stay. Does nothing if the flow has ended.
   * @throws AppError NOT_FOUND
   */
  async cancel(userId: string, id: string): Promise<Flow> {
    const { dataSource, lifecycle, flowEvents, accountEvents } = this.deps;
    const leftOut = await dataSource.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      const flow = await transaction.findOneBy(FlowEntity, { id, userId });
      if (!flow) throw flowNotFound();
      await endFlow(transaction, id, { cancelled: true });
      return leaveOutSteps(transaction, flow, null);
    });
    const jobIds = (await dataSource.getRepository(FlowStepEntity).findBy({ flowId: id })).map(
      ({ jobId }) => jobId,
    );
    const unfinished = await dataSource.getRepository(JobEntity).find({
      select: { id: true },
      where: { id: In(jobIds), status: In(['queued', 'running']) },
    });
    for (const job of unfinished) await lifecycle.cancel(userId, job.id).catch(ignoreEnded);
    void flowEvents.flowChanged(id);
    if (countRefunds(leftOut)) void accountEvents.accountChanged(userId);
    return this.get(userId, id);
  }
}

const notWaiting = () => {
  const message = 'This flow does not wait for a title: it has one, or its titles are not there yet.';
  return new AppError('VALIDATION_FAILED', message, { details: [{ field: 'title', message }] });
};

/** @throws AppError RATE_LIMITED if the user has too many open flows */
async function requireFewOpen(transaction: Transaction, userId: string): Promise<void> {
  if ((await transaction.countBy(FlowEntity, { userId, endedAt: IsNull() })) < MAX_OPEN_FLOWS) return;
  throw new AppError(
    'RATE_LIMITED',
    `${MAX_OPEN_FLOWS} of your flows have not ended. Wait for one, retry its step that failed, or cancel it.`,
    { retryAfterSeconds: 30 },
  );
}
