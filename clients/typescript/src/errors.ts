import type { Failure, Job } from './generated/types.gen.js';

export type ErrorCode = Failure['code'];

/** An answer that is an error, or no answer. */
export class PressroomError extends Error {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Undefined without an answer of Pressroom. */
  readonly code: ErrorCode | undefined;
  /** For support: the server's log has it too. */
  readonly requestId: string | undefined;
  readonly details: Failure['details'];

  constructor(message: string, { status = 0, cause, ...failure }: PressroomErrorOptions = {}) {
    super(message, { cause });
    this.name = 'PressroomError';
    this.status = status;
    this.code = failure.code;
    this.requestId = failure.requestId;
    this.details = failure.details;
  }
}

interface PressroomErrorOptions extends Partial<Omit<Failure, 'success' | 'message'>> {
  status?: number;
  cause?: unknown;
}

/** A job that failed or was cancelled. Its credits were refunded. */
export class JobFailedError extends Error {
  readonly job: Job;

  constructor(job: Job) {
    super(job.error?.message ?? (job.status === 'cancelled' ? 'The job was cancelled.' : 'The job failed.'));
    this.name = 'JobFailedError';
    this.job = job;
  }
}

/** @param error what the generated client caught: the answer's body, or the error of the connection */
export function toPressroomError(error: unknown, response: Response | undefined): unknown {
  if (response === undefined) {
    if ((error as Error).name === 'AbortError' || (error as Error).name === 'TimeoutError') return error;
    return new PressroomError('The server cannot be reached.', { cause: error });
  }
  const { status } = response;
  const failure = error as Partial<Failure>;
  return typeof failure.message === 'string'
    ? new PressroomError(failure.message, { ...failure, status })
    : new PressroomError(`The server answered ${status}.`, { status, cause: error });
}
