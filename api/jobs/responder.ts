import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Config, CONFIG } from '#libs/config/environment.js';
import { successMessageOf } from '#libs/contract/define-tool.js';
import { AppError } from '#libs/contract/errors.js';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import type { Answer } from '#libs/contract/routes/table.js';
import { JobCompletion } from '#libs/jobs/job-completion.js';
import { JobReader } from '#libs/jobs/job-reader.js';
import { givenBack } from '#libs/jobs/refund-text.js';
import type { Jobs } from '#libs/jobs/submission.js';
import { isToolName, tools } from '#libs/tools/catalogue.js';
import { readPreference } from './preference.js';

/** Responds to a submission: with the result if the job ends in time, otherwise with the accepted job. */
@Injectable()
export class Responder {
  constructor(
    private readonly jobs: JobReader,
    private readonly completion: JobCompletion,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Waits for the jobs as long as the caller's `Prefer` header allows. Jobs continue if the client disconnects.
   * @throws AppError the error of a failed job, or `JOB_CANCELLED`. With several jobs, throws only if none succeeded:
   *   the first job's error
   */
  async answer(request: Request, response: Response, jobs: Jobs): Promise<Answer<'retryJob'>> {
    const preference = readPreference(request.header('prefer'), this.config.syncWaitSeconds);
    response.setHeader('Location', `/api/jobs/${jobs[0].id}`);
    if (preference.applied) response.setHeader('Preference-Applied', preference.applied);
    if (preference.waitSeconds === 0) return this.accepted(response, jobs);
    await this.waitForEnd(response, jobs, preference.waitSeconds);
    const now = (await Promise.all(jobs.map(({ userId, id }) => this.jobs.find(userId, id)))) as Jobs;
    return now.every(({ status }) => isEnded(status)) ? this.outcomeOf(now) : this.accepted(response, now);
  }

  private async waitForEnd(response: Response, jobs: Jobs, seconds: number): Promise<void> {
    const disconnected = new AbortController();
    const onClose = () => disconnected.abort();
    // The client may have disconnected while its jobs were stored, so no `close` event will follow.
    if (response.closed) onClose();
    response.once('close', onClose);
    await Promise.all(jobs.map(({ id }) => this.completion.wait(id, seconds * 1000, disconnected.signal)));
    response.off('close', onClose);
  }

  private async accepted(response: Response, jobs: Jobs): Promise<Answer<'retryJob', 202>> {
    response.status(202);
    return {
      success: true,
      accepted: true,
      job: await this.jobs.show(jobs[0]),
      ...(await this.showAll(jobs)),
    };
  }

  private async outcomeOf(jobs: Jobs): Promise<Answer<'retryJob', 200>> {
    const job = jobs.find(({ status }) => status === 'succeeded') ?? jobs[0];
    if (job.status === 'succeeded') {
      const result = await this.jobs.result(job);
      const message = isToolName(job.tool) ? successMessageOf(tools[job.tool], result) : 'Done';
      return { success: true, ...result, message, jobId: job.id, ...(await this.showAll(jobs)) };
    }
    if (job.status === 'cancelled')
      throw new AppError(
        'JOB_CANCELLED',
        `The job was cancelled.${job.chargeMonth === null || job.price === 0 ? '' : ` Its ${givenBack(job.price)}.`}`,
      );
    throw new AppError(job.errorCode ?? 'INTERNAL', job.errorMessage ?? 'The job failed.', {
      details: { jobId: job.id },
    });
  }

  private async showAll(jobs: Jobs): Promise<{ jobs?: Job[] }> {
    return jobs.length > 1 ? { jobs: await Promise.all(jobs.map((job) => this.jobs.show(job))) } : {};
  }
}
