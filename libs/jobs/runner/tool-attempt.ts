import { randomUUID } from 'node:crypto';
import { engineFor, imageOperationOf, type ToolEngines } from '#libs/config/engines.js';
import { EngineError } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import type { BudgetName } from '#libs/contract/admin.js';
import type { AiProvider, CallListener, Engine } from '#libs/ai/engine.js';
import type { ImageSupport } from '#libs/ai/image-support.js';
import { BudgetReserved, type ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { sourceOfJob, type AttemptCalls, type ProviderCalls } from '#libs/costs/provider-calls.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { MemoryBudget } from '#libs/resilience/memory-budget.js';
import { isToolName, type ToolInput, type ToolName } from '#libs/tools/catalogue.js';
import { retryWhileUnavailable } from '../retry-while-unavailable.js';
import type { RunContext, ToolHandlers, ToolOutcome } from '../tool-handler.js';

export interface ToolAttemptDeps {
  engine: Engine;
  handlers: ToolHandlers;
  /** Engine of each tool while an AI provider is connected. */
  toolEngines: ToolEngines;
  /** Image operations that the provider lacks. */
  imageSupport: Pick<ImageSupport, 'known' | 'add'>;
  /** Records calls of the AI service. */
  calls: Pick<ProviderCalls, 'of'>;
  budgets: Pick<ProviderBudgets, 'reserve' | 'needsProvider' | 'exhausted'>;
}

/** The AI service of an attempt, whose cost is reserved until `release` unless a budget is used up. */
interface ReservedProvider {
  provider: AiProvider;
  usedUp: BudgetName | null;
  calls: AttemptCalls;
  release: () => unknown;
}

/** The provider that does a job. Null if this server does it. */
export function providerOf(
  { tool, input }: Pick<JobEntity, 'tool' | 'input'>,
  { engine, toolEngines, imageSupport }: Pick<ToolAttemptDeps, 'engine' | 'toolEngines' | 'imageSupport'>,
): AiProvider | null {
  if (!isToolName(tool)) return engine.provider;
  const name = engineFor(tool, input, toolEngines, imageSupport.known);
  return name === 'offline' ? null : engine.provider;
}

/** Runs a tool once, with the AI provider or on this server. */
export class ToolAttempt<N extends ToolName> {
  private reserved: ReservedProvider | null = null;
  private endTurn: (() => void) | undefined;

  /** @param batchTurn jobs of batches that this server does run one at a time */
  constructor(
    private readonly deps: ToolAttemptDeps,
    private readonly batchTurn: MemoryBudget,
    private readonly job: JobEntity,
    private readonly name: N,
    private readonly input: ToolInput<N>,
    private readonly signal: AbortSignal,
  ) {}

  /** Reserves what the attempt needs: the cost of the provider, or the turn of a batch's job. */
  async reserve(provider: AiProvider | null): Promise<void> {
    if (provider) this.reserved = await this.reserveProvider(provider);
    else await this.takeTurn();
  }

  /**
   * If the provider turns out to lack the image operation of a job, or its budget is used up, the same attempt goes on
   * without the provider.
   */
  async run(context: RunContext): Promise<ToolOutcome<N>> {
    const { name, input } = this;
    const { handlers, budgets, toolEngines, imageSupport } = this.deps;
    if (!this.reserved) return this.runOffline(context);
    const { provider, usedUp, calls, release } = this.reserved;
    if (usedUp !== null) {
      const exhausted = budgets.exhausted(usedUp, ' Your credit was given back.');
      if (budgets.needsProvider(name)) throw exhausted;
      context.stage('offline', 'The budget of the AI service is used up, so this server does the work', 0);
      return this.runOffline(context).catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'ENGINE_CANNOT' ? exhausted : error;
      });
    }
    try {
      const recorded = withThinkingStage(withCalls(provider, calls), context);
      return await handlers[name].withProvider(input, recorded, context);
    } catch (error) {
      if (!(error instanceof EngineError) || error.scope !== 'unsupported') throw error;
      const operation = imageOperationOf(name, input);
      if (!operation || engineFor(name, input, toolEngines, new Set([operation])) === 'openai') throw error;
      await imageSupport.add(operation);
    }
    release();
    return this.runOffline(context);
  }

  release(): void {
    this.endTurn?.();
    this.reserved?.release();
  }

  private async runOffline(context: RunContext): Promise<ToolOutcome<N>> {
    await this.takeTurn();
    return this.deps.handlers[this.name].offline(this.input, context);
  }

  private async takeTurn(): Promise<void> {
    if (this.job.batchId !== null) this.endTurn ??= await this.batchTurn.take(1, this.signal);
  }

  private async reserveProvider(provider: AiProvider): Promise<ReservedProvider> {
    const { job, name: tool, input, signal } = this;
    const request = { id: randomUUID(), job, tool, input, provider };
    const reserve = () => this.deps.budgets.reserve(request, signal);
    const calls = this.deps.calls.of(sourceOfJob(job));
    const release = () => calls.endReservation(request.id);
    try {
      const { isReserved, usedUp } = await retryWhileUnavailable(reserve, signal);
      return { provider, usedUp, calls, release: () => isReserved && release() };
    } catch (error) {
      // It may be stored although the answer was lost.
      if (!(error instanceof BudgetReserved)) release();
      throw error;
    }
  }
}

/** Shows as a stage that the model thinks before it answers. */
const withThinkingStage = (provider: AiProvider, context: RunContext): AiProvider => ({
  ...provider,
  streamChat: (request, signal) =>
    provider.streamChat(
      { onThinking: () => context.stage('thinking', 'The AI model is thinking', 0), ...request },
      signal,
    ),
});

/** Reports the calls of one attempt. */
const withCalls = (provider: AiProvider, calls: CallListener): AiProvider => ({
  ...provider,
  streamChat: (request, signal) => provider.streamChat({ ...request, calls }, signal),
  generateImage: (request, signal) => provider.generateImage({ ...request, calls }, signal),
  editImage: (request, signal) => provider.editImage({ ...request, calls }, signal),
});
