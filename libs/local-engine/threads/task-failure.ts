import { EngineError } from '#libs/contract/engine.js';
import { AppError, LimitExceeded, type AppErrorOptions, type ErrorCode } from '#libs/contract/errors.js';

/** An error as a value: an error object that crosses threads loses its class and its fields. */
export type TaskFailure =
  | {
      failure: 'app';
      code: ErrorCode;
      message: string;
      details: AppErrorOptions['details'];
      isLimitExceeded: boolean;
    }
  | { failure: 'engine'; message: string; retryable: boolean };

/** Runs a task on its thread and returns its AppError or EngineError as a value. */
export async function catchFailure<T>(task: () => Promise<T>): Promise<T | TaskFailure> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof AppError) {
      const { code, message, details } = error;
      return { failure: 'app', code, message, details, isLimitExceeded: error instanceof LimitExceeded };
    }
    if (error instanceof EngineError) {
      return { failure: 'engine', message: error.message, retryable: error.retryable };
    }
    throw error;
  }
}

export const isFailure = (answer: unknown): answer is TaskFailure =>
  typeof answer === 'object' && answer !== null && 'failure' in answer;

export const toError = (failure: TaskFailure): Error =>
  failure.failure === 'app'
    ? new (failure.isLimitExceeded ? LimitExceeded : AppError)(failure.code, failure.message, {
        details: failure.details,
      })
    : new EngineError(failure.message, { retryable: failure.retryable });
