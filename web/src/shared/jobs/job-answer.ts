import { z } from 'zod';
import { jobSchema, type Job } from '#libs/contract/jobs.js';

/** A job in an answer. The schema knows its error code only as text; the contract's type names every code. */
export const jobAnswerSchema = jobSchema as unknown as z.ZodType<Job>;

export const oneJobSchema = z.object({ job: jobAnswerSchema });
