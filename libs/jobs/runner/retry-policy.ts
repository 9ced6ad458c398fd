import { EngineError } from '#libs/contract/engine.js';
import { AppError, LimitExceeded } from '#libs/contract/errors.js';
import { BudgetReserved } from '#libs/costs/provider-budgets.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { StoreError } from '#libs/storage/object-store.js';
import type { Failure } from '../lifecycle.js';
import { withRefund } from '../refund-text.js';
import { RunStopped } from './job-progress.js';

/** Maximum milliseconds between two attempts, even if a provider asks for a longer pause. */
const MAX_BACKOFF = 5 * 60_000;
/** Milliseconds until a job asks again for a part of a budget that running jobs have reserved. */
const BUDGET_DELAY = 5_000;
/** Maximum milliseconds between two attempts while a service is unavailable. */
const MAX_OUTAGE_DELAY = 15_000;

export interface RetryLimits {
  /** Maximum number of failed attempts before the job fails for good. */
  attempts: number;
  /** Maximum seconds, counted from the first start, that a job waits for an unavailable AI service or file store. */
  outageSeconds: number;
}

type Decision =
  | { kind: 'retry'; delayMs: number; message: string; isFailure: boolean }
  | { kind: 'fail'; failure: Failure };

/**
 * Decides whether a job is tried again after an attempt's error.
 * @param waitedMs milliseconds since the start of the job's first attempt
 */
export function decideRetry(
  { failures, credits }: Pick<JobEntity, 'failures' | 'credits'>,
  error: unknown,
  waitedMs: number,
  { attempts, outageSeconds }: RetryLimits,
): Decision {
  const retry = (delayMs: number, reason: string, isFailure: boolean): Decision => ({
    kind: 'retry',
    delayMs,
    message: `${reason}. Trying again in ${Math.ceil(delayMs / 1000)} s`,
    isFailure,
  });
  if (error instanceof BudgetReserved)
    return retry(
      withJitter(BUDGET_DELAY),
      'Running jobs have reserved the rest of the budget for the AI service',
      false,
    );
  const isOutage = error instanceof StoreError || (error instanceof EngineError && error.scope === 'held');
  const delayMs = isOutage
    ? delayInOutage(waitedMs, outageSeconds, error)
    : delayAfterFailure(failures, attempts, error);
  return delayMs === null
    ? { kind: 'fail', failure: toFailure(error, credits) }
    : retry(delayMs, `${nameOfFailedService(error)} had a problem`, !isOutage);
}

/** Milliseconds until the next attempt. Null if the job has failed for good. */
function delayAfterFailure(failures: number, attempts: number, error: unknown): number | null {
  if (error instanceof AppError || error instanceof RunStopped) return null;
  if (error instanceof EngineError && !error.retryable) return null;
  if (failures + 1 >= attempts) return null;
  const backoff = 1_000 * 2 ** failures;
  const requested = requestedDelay(error);
  return Math.min(Math.max(backoff, requested), MAX_BACKOFF);
}

/**
 * Milliseconds until the next attempt while a service is unavailable; null if the maximum wait is over. An outage
 * does not count as a failure of the job. Delays grow with the waiting time and have jitter, so that not all jobs
 * retry at once.
 */
function delayInOutage(waitedMs: number, outageSeconds: number, error: unknown): number | null {
  if (waitedMs > outageSeconds * 1000) return null;
  const requested = requestedDelay(error);
  const delay = Math.min(Math.max(waitedMs / 2, requested, 1_000), Math.max(requested, MAX_OUTAGE_DELAY));
  return withJitter(delay);
}

const requestedDelay = (error: unknown) => (error instanceof EngineError ? (error.retryAfterMs ?? 0) : 0);

const withJitter = (delayMs: number) => Math.round(delayMs * (1 + Math.random() / 4));

function nameOfFailedService(error: unknown): string {
  if (error instanceof StoreError) return 'The file store';
  return error instanceof EngineError && error.scope === 'server' ? 'A model here' : 'The AI service';
}

/** Messages of failures are written for a job of one credit. */
function toFailure(error: unknown, credits: number): Failure {
  const failure = failureOf(error);
  return { ...failure, message: withRefund(failure.message, credits) };
}

function failureOf(error: unknown): Failure {
  if (error instanceof RunStopped) {
    return {
      code: 'JOB_TIMED_OUT',
      message: 'This took longer than it may. Your credit was given back; try again.',
    };
  }
  if (error instanceof AppError)
    return { code: error.code, message: error.message, hitLimit: error instanceof LimitExceeded };
  if (error instanceof EngineError) return { code: 'PROVIDER_FAILED', message: error.message };
  if (error instanceof StoreError) {
    return {
      code: 'UNAVAILABLE',
      message: 'The file store did not answer. Your credit was given back; try again later.',
    };
  }
  return {
    code: 'INTERNAL',
    message: 'Something went wrong on our side. Your credit was given back; try again.',
  };
}
