import { z } from 'zod';
import { jobSchema, type Job } from '#libs/contract/jobs.js';

/** The schema has the error code as a string; the contract's type has every code. */
export const jobInResponseSchema = jobSchema as unknown as z.ZodType<Job>;

export const jobResponseSchema = z.object({ job: jobInResponseSchema });
