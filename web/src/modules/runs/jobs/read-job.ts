import type { Job } from '#libs/contract/jobs.js';
import { jobRoutes } from '#libs/contract/routes/jobs.js';
import { call } from '../../../shared/http/call';
import { ApiFailure, type Http } from '../../../shared/http/http';

/** The job with its text so far, or null if the user has no such job. */
export async function readJob(http: Http, id: string): Promise<Job | null> {
  try {
    return (await call(http, jobRoutes.getJob, { params: { id } })).job;
  } catch (error) {
    if (error instanceof ApiFailure && (error.code === 'NOT_FOUND' || error.code === 'VALIDATION_FAILED'))
      return null;
    throw error;
  }
}
