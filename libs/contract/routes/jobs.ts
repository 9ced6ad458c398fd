import { z } from 'zod';
import { jobListQuerySchema, jobSchema } from '../jobs.js';
import { defineRoute, idempotencyKeyHeader, json, page, success } from './define-route.js';

const tag = 'Jobs';
const jobId = z.object({ id: z.uuid().meta({ description: 'The job’s id.' }) });
const jobAnswer = success({ job: jobSchema });

export const startedJobsSchema = z
  .array(jobSchema)
  .optional()
  .meta({ description: 'All jobs of a request that started several, including the first.' });

export const submissionHeaders = z.object({
  Prefer: z.string().optional().meta({
    description:
      '`respond-async` answers 202 at once; `wait=N` waits for the job at most N seconds (RFC 7240).',
  }),
  ...idempotencyKeyHeader(
    'The same key from the same user identifies the same job, batch or flow for 24 hours, and until it has ended.',
  ).shape,
});

export const accepted = {
  ...json(
    success({
      accepted: z
        .literal(true)
        .meta({ description: 'Tells this answer from the one of a job that has ended.' }),
      job: jobSchema,
      jobs: startedJobsSchema,
    }),
    'Accepted; the job continues',
  ),
  headers: z.object({
    Location: z.string().meta({ description: '`/api/jobs/{id}`' }),
    'Preference-Applied': z.string().optional(),
  }),
};

/** Errors when a job is rejected, or ends without a result. */
export const jobErrors = [
  'KEY_CAP_REACHED',
  'BUDGET_EXHAUSTED',
  'INSUFFICIENT_CREDITS',
  'IDEMPOTENCY_MISMATCH',
  'STORAGE_FULL',
  'QUEUE_FULL',
  'DISK_FULL',
  'JOB_CANCELLED',
  'RESULT_DELETED',
  'ENGINE_CANNOT',
  'PROVIDER_FAILED',
  'JOB_TIMED_OUT',
] as const;

export const jobRoutes = {
  listJobs: defineRoute('GET', '/api/jobs', {
    tag,
    summary: 'The caller’s jobs, newest first',
    query: jobListQuerySchema,
    answers: page({ jobs: z.array(jobSchema) }, 'A page of jobs'),
  }),
  getJob: defineRoute('GET', '/api/jobs/:id', {
    tag,
    summary: 'One job, with the text so far',
    params: jobId,
    answers: { 200: json(jobAnswer, 'The job') },
    errors: ['NOT_FOUND'],
  }),
  getJobPreview: defineRoute('GET', '/api/jobs/:id/preview', {
    tag,
    summary: 'The newest preview of a running job, for its owner',
    params: jobId,
    query: z.object({
      attempt: z.string().optional(),
      index: z.string().optional(),
    }),
    answers: {
      200: {
        description:
          'A small picture of the unfinished work. `attempt` and `index` only make each URL unique.',
        content: { 'image/webp': z.file() },
      },
      204: { description: 'There is none yet, or the attempt has ended', content: {} },
    },
    errors: ['NOT_FOUND'],
  }),
  cancelJob: defineRoute('DELETE', '/api/jobs/:id', {
    tag,
    summary: 'Cancels a job and refunds its credits',
    params: jobId,
    answers: { 200: json(jobAnswer, 'The cancelled job') },
    errors: ['NOT_FOUND', 'JOB_NOT_CANCELLABLE'],
  }),
  retryJob: defineRoute('POST', '/api/jobs/:id/retry', {
    tag,
    scope: 'tool',
    summary: 'Retries a failed or cancelled job as a new job',
    atWork: 'unlimited',
    params: jobId,
    headers: submissionHeaders,
    answers: {
      200: json(success({}).loose(), 'The new job succeeded; the fields of its tool'),
      202: accepted,
    },
    errors: ['NOT_FOUND', 'JOB_NOT_RETRYABLE', 'PREMIUM_REQUIRED', ...jobErrors],
  }),
};
