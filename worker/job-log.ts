import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import type { EngineLog } from '#libs/ai/create-engine.js';
import { EngineError, type BreakerState } from '#libs/ai/engine.js';
import { AppError } from '#libs/contract/errors.js';
import type { JobRow } from '#libs/jobs/job-row.js';
import type { RunnerLog } from '#libs/jobs/job-runner.js';

/** One line at the start and the end of each attempt, with the ids of the request, the job and its person. */
@Injectable()
export class JobLog implements RunnerLog, EngineLog {
  constructor(private readonly logger: PinoLogger) {}

  started = (job: JobRow): void => {
    this.logger.info(about(job), 'Job started');
  };

  ended = (job: JobRow, how: string, error?: unknown): void => {
    const seconds = job.started_at ? (Date.now() - job.started_at.getTime()) / 1000 : undefined;
    const line = { ...about(job), seconds, err: error };
    // What a provider or an input did wrong is no fault of ours; anything else is worth somebody's look.
    if (error === undefined) this.logger.info(line, `Job ${how}`);
    else if (error instanceof AppError || error instanceof EngineError) this.logger.warn(line, `Job ${how}`);
    else this.logger.error(line, `Job ${how}`);
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

const about = (job: JobRow) => ({
  requestId: job.request_id,
  jobId: job.id,
  userId: job.person_id,
  tool: job.tool,
  attempt: job.attempts,
});
