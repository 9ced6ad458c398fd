import type { PinoLogger } from 'nestjs-pino';
import { EngineError } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import { attemptSeconds, jobsRunning } from '#libs/observability/metrics.js';
import { setSpanAttributes } from '#libs/observability/tracing.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { RunnerLog } from './job-runner.js';

/** Logs and counts attempts: one line when an attempt starts and one when it ends. */
export class JobLog implements RunnerLog {
  private readonly startedAt = new WeakMap<JobEntity, number>();

  constructor(private readonly logger: PinoLogger) {}

  started = (job: JobEntity): void => {
    this.startedAt.set(job, performance.now());
    jobsRunning.inc();
    this.logger.info(fieldsOf(job), 'Job started');
  };

  ended = (job: JobEntity, outcome: string, error?: unknown): void => {
    const seconds = (performance.now() - (this.startedAt.get(job) ?? performance.now())) / 1000;
    jobsRunning.dec();
    attemptSeconds.observe({ tool: job.tool, outcome }, seconds);
    setSpanAttributes({ 'pressroom.outcome': outcome });
    const fields = { ...fieldsOf(job), seconds, err: error };
    // Errors of a provider or an input are warnings; all other errors are bugs.
    if (error === undefined) this.logger.info(fields, `Job ${outcome}`);
    else if (error instanceof AppError || error instanceof EngineError)
      this.logger.warn(fields, `Job ${outcome}`);
    else this.logger.error(fields, `Job ${outcome}`);
  };

  error = (error: Error): void => {
    this.logger.error({ err: error }, error.message);
  };
}

const fieldsOf = (job: JobEntity) => ({
  requestId: job.requestId,
  jobId: job.id,
  userId: job.userId,
  tool: job.tool,
  attempt: job.attempts,
});
