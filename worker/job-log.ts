import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import type { EngineLog } from '#libs/ai/create-engine.js';
import type { ProviderCall } from '#libs/ai/observed-provider.js';
import { EngineError } from '#libs/contract/engine-error.js';
import type { BreakerState, Engine } from '#libs/ai/engine.js';
import { AppError } from '#libs/contract/errors.js';
import type { JobRow } from '#libs/jobs/job-row.js';
import type { RunnerLog } from '#libs/jobs/job-runner.js';
import {
  attemptSeconds,
  breakerOpen,
  jobsRunning,
  providerFirstToken,
  providerSeconds,
  providerTokens,
} from '#libs/observability/metrics.js';
import { noteInTrace } from '#libs/observability/tracing.js';

/**
 * What a worker tells of its work: a line at the start and the end of each attempt and after each call of the AI
 * provider, and the same in figures.
 */
@Injectable()
export class JobLog implements RunnerLog, EngineLog {
  private readonly startedAt = new WeakMap<JobRow, number>();

  constructor(private readonly logger: PinoLogger) {}

  started = (job: JobRow): void => {
    this.startedAt.set(job, Date.now());
    jobsRunning.inc();
    this.logger.info(about(job), 'Job started');
  };

  ended = (job: JobRow, how: string, error?: unknown): void => {
    const seconds = (Date.now() - (this.startedAt.get(job) ?? Date.now())) / 1000;
    jobsRunning.dec();
    attemptSeconds.observe({ tool: job.tool, outcome: how }, seconds);
    noteInTrace({ 'pressroom.outcome': how });
    const line = { ...about(job), seconds, err: error };
    // What a provider or an input did wrong is no fault of ours; anything else is worth somebody's look.
    if (error === undefined) this.logger.info(line, `Job ${how}`);
    else if (error instanceof AppError || error instanceof EngineError) this.logger.warn(line, `Job ${how}`);
    else this.logger.error(line, `Job ${how}`);
  };

  called = ({ operation, model, outcome, seconds, firstTokenSeconds, usage }: ProviderCall): void => {
    providerSeconds.observe({ operation, model, outcome }, seconds);
    if (firstTokenSeconds !== undefined) providerFirstToken.observe({ model }, firstTokenSeconds);
    if (usage) {
      providerTokens.inc({ operation, model, direction: 'input' }, usage.input);
      providerTokens.inc({ operation, model, direction: 'output' }, usage.output);
    }
    const line = { operation, model, outcome, seconds, firstTokenSeconds, tokens: usage };
    this.logger.info(line, `AI service called: ${outcome}`);
  };

  breakerChanged = ({ provider, kind, state }: BreakerState): void => {
    const line = { provider, kind, breaker: state };
    if (state === 'open')
      this.logger.warn(line, `Calls of the AI service are held back (${provider}, ${kind})`);
    else
      this.logger.info(
        line,
        `The AI service is ${state === 'closed' ? 'back' : 'tried'} (${provider}, ${kind})`,
      );
  };

  askedFallback = (error: EngineError): void => {
    this.logger.warn({ err: error }, 'The fallback of the AI service is asked');
  };

  error = (error: Error): void => {
    this.logger.error({ err: error }, error.message);
  };
}

/** Sets the gauge of what is held back, before it is read. */
export function observeBreakers({ breakers }: Engine): void {
  for (const { provider, kind, state } of breakers)
    breakerOpen.set({ provider, kind }, state === 'closed' ? 0 : 1);
}

const about = (job: JobRow) => ({
  requestId: job.request_id,
  jobId: job.id,
  userId: job.user_id,
  tool: job.tool,
  attempt: job.attempts,
});
