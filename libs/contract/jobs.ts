import { z } from 'zod';
import type { ErrorCode } from './errors.js';
import { cursorSchema, limitSchema } from './pagination.js';
import { progressSchema } from './progress.js';

export type QueueName = 'text' | 'image' | 'pdf';
export const queueNames: QueueName[] = ['text', 'image', 'pdf'];

export type Priority = 'premium' | 'standard';

/** Priority class in the queue. All jobs of a lower lane start before any job of a higher lane. */
export type Lane = 0 | 1 | 2 | 3;

export const jobStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export const jobStatusSchema = z.enum(jobStatuses, { error: `Choose one of ${jobStatuses.join(', ')}.` });
export type JobStatus = z.infer<typeof jobStatusSchema>;

export const isEnded = (status: JobStatus) =>
  status === 'succeeded' || status === 'failed' || status === 'cancelled';

export const count = z.number().int().min(0);

export const jobErrorSchema = z.object({
  // Not an enum, because a newer worker may store a code that this version does not know.
  code: z.string() as unknown as z.ZodType<ErrorCode, ErrorCode>,
  message: z.string(),
});

export const waitingSchema = z.object({
  reason: z.enum(['ahead', 'busy', 'retry', 'paused', 'no-worker']).meta({
    description:
      'The reason. `ahead`: other jobs go first. `busy`: it is next, and all workers are busy. `retry`: a failed attempt is repeated later. `paused`: an operator paused the queue. `no-worker`: no worker is running.',
  }),
  ahead: z.object({ premium: count, own: count, others: count }).meta({
    description: 'The jobs before it: premium jobs of other users, the user’s own, and all others.',
  }),
});
export type Waiting = z.infer<typeof waitingSchema>;

/** Larger previews are dropped. */
export const PREVIEW_MAX_BYTES = 96 * 1024;

export const previewSchema = z.object({
  attempt: z.number().int().min(1),
  index: count.meta({ description: 'Grows with each preview of an attempt.' }),
  url: z.string().meta({
    description: 'A path that returns the newest preview until the attempt ends, to its owner with a token.',
  }),
});
export type Preview = z.infer<typeof previewSchema>;

export const jobSchema = z
  .object({
    id: z.uuid(),
    tool: z.string(),
    batchId: z.uuid().optional().meta({ description: 'The batch that it is part of.' }),
    flowId: z.uuid().optional().meta({ description: 'The flow that it is a step of.' }),
    notebookId: z.uuid().optional().meta({ description: 'The notebook that it works on.' }),
    title: z.string().meta({ description: 'A short text for lists.' }),
    status: jobStatusSchema,
    progress: progressSchema,
    position: z
      .number()
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Position in the queue while queued; 1 is next.' }),
    etaSeconds: count.nullable(),
    waiting: waitingSchema.nullable().meta({ description: 'The reason why it waits, while queued.' }),
    wentAheadOf: count.meta({
      description: 'For a premium job, the number of waiting jobs of other users that it was placed before.',
    }),
    preview: previewSchema.nullable().meta({ description: 'The newest preview, while one attempt runs.' }),
    partial: z.string().nullable().optional().meta({
      description: 'The text so far. Only `GET /api/jobs/{id}` and answers that carry one job have it.',
    }),
    result: z.record(z.string(), z.unknown()).nullable(),
    resultDeleted: z.literal(true).optional().meta({
      description: 'Its user deleted the result; `result` is null.',
    }),
    error: jobErrorSchema.nullable(),
    attempts: count,
    credits: count.meta({ description: 'Credits charged; 0 after a refund.' }),
    priority: z.enum(['premium', 'standard']),
    group: z
      .uuid()
      .nullable()
      .meta({ description: 'The same for all jobs that one request started; null for a single job.' }),
    revision: count.meta({ description: 'Grows with every change, not always by one.' }),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Job' });

/** A job, as the API returns it. Times are ISO 8601 in UTC. Offsets in `partial` count UTF-16 code units. */
export type Job = z.infer<typeof jobSchema>;

const MAX_JOBS_LISTED = 100;

export const jobListQuerySchema = z.object({
  status: jobStatusSchema.optional(),
  tool: z
    .string('Give the name of one tool.')
    .regex(/^[a-z][a-z-]{0,59}$/, 'Give the name of one tool.')
    .optional(),
  batches: z
    .enum(['with', 'without'], { error: 'Choose with or without batches.' })
    .optional()
    .meta({ description: '`without` leaves the jobs of batches out.' }),
  cursor: cursorSchema,
  limit: limitSchema(MAX_JOBS_LISTED),
});
export type JobListQuery = z.infer<typeof jobListQuerySchema>;
