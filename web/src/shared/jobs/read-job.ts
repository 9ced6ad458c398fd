import type { Job } from '#libs/contract/jobs.js';
import { ApiFailure, type Http } from '../http/http';
import { jobResponseSchema } from './job-response';

/** The job with its text so far, or null if the user has no such job. */
export async function readJob(http: Http, id: string): Promise<Job | null> {
  try {
    return (await http.get(`/api/jobs/${encodeURIComponent(id)}`, jobResponseSchema)).job;
  } catch (error) {
    if (error instanceof ApiFailure && (error.code === 'NOT_FOUND' || error.code === 'VALIDATION_FAILED'))
      return null;
    throw error;
  }
}
