import type { Job } from '#libs/contract/jobs.js';
import { ApiFailure, type Http } from '../http/http';
import { oneJobSchema } from './job-answer';

/** The job with its text so far, or null when the caller has no such job. */
export async function readJob(http: Http, id: string): Promise<Job | null> {
  try {
    return (await http.get(`/api/jobs/${encodeURIComponent(id)}`, oneJobSchema)).job;
  } catch (error) {
    if (error instanceof ApiFailure && (error.code === 'NOT_FOUND' || error.code === 'VALIDATION_FAILED'))
      return null;
    throw error;
  }
}
