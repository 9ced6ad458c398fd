import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Config } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { isEnded } from '#libs/contract/jobs.js';
import type { Answer } from '#libs/contract/routes/table.js';
import { JobCompletion } from '#libs/jobs/job-completion.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { JobReader } from '#libs/jobs/job-reader.js';
import { CONFIG } from '#libs/config/config.module.js';
import { isToolName, tools } from '#libs/tools/catalogue.js';
import { readPreference } from './preference.js';

/** Answers a submission with the job, or with its outcome once it has ended. */
@Injectable()
export class Responder {
  constructor(
    private readonly jobs: JobReader,
    private readonly completion: JobCompletion,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Holds the answer as the caller's `Prefer` allows. A caller that disconnects does not cancel the job.
   * @throws AppError the job's own error when it failed, `JOB_CANCELLED` when it was cancelled meanwhile
   */
  async answer(request: Request, response: Response, job: JobEntity): Promise<Answer<'retryJob'>> {
    const preference = readPreference(request.header('prefer'), this.config.syncWaitSeconds);
    response.setHeader('Location', `/api/jobs/${job.id}`);
    if (preference.applied) response.setHeader('Preference-Applied', preference.applied);
    if (preference.waitSeconds === 0) return this.accepted(response, job);
    await this.waitForEnd(response, job, preference.waitSeconds);
    const now = await this.jobs.find(job.userId, job.id);
    return isEnded(now.status) ? this.outcomeOf(now) : this.accepted(response, now);
  }

  private async waitForEnd(response: Response, job: JobEntity, seconds: number): Promise<void> {
    const disconnected = new AbortController();
    const onClose = () => disconnected.abort();
    // The client may have disconnected while its job was stored.
    if (response.closed) onClose();
    response.once('close', onClose);
    await this.completion.wait(job.id, seconds * 1000, disconnected.signal);
    response.off('close', onClose);
  }

  private async accepted(response: Response, job: JobEntity): Promise<Answer<'retryJob', 202>> {
    response.status(202);
    return { success: true, job: await this.jobs.show(job) };
  }

  private async outcomeOf(job: JobEntity): Promise<Answer<'retryJob', 200>> {
    if (job.status === 'succeeded') {
      const message = isToolName(job.tool) ? tools[job.tool].successMessage : 'Done';
      return { success: true, ...(await this.jobs.result(job)), message, jobId: job.id };
    }
    if (job.status === 'cancelled')
      throw new AppError('JOB_CANCELLED', 'The job was cancelled. Its credit was given back.');
    throw new AppError(job.errorCode ?? 'INTERNAL', job.errorMessage ?? 'The job failed.', {
      details: { jobId: job.id },
    });
  }
}
