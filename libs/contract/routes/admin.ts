import { z } from 'zod';
import { setPlanSchema } from '../account.js';
import {
  adminJobSchema,
  adminJobsQuerySchema,
  adminUserDetailsSchema,
  adminUserSchema,
  adminUsersQuerySchema,
  auditEntrySchema,
  auditFilterSchema,
  auditQuerySchema,
  readReasonBodySchema,
  reasonBodySchema,
  bulkSchema,
  creationContentsSchema,
  costsQuerySchema,
  deletionReceiptSchema,
  jobContentsSchema,
  jobFilterSchema,
  jobStorySchema,
  maintenanceTaskSchema,
  monthBudgetsSchema,
  MAX_BULK_JOBS,
  moderatedCreationSchema,
  moderationQuerySchema,
  programSchema,
  providerCostSchema,
  queueNameSchema,
  queueStateSchema,
  reasonSchema,
  setLimitsSchema,
} from '../admin.js';
import { count } from '../jobs.js';
import { defineRoute, fileAnswers, idempotencyKeyHeader, json, ok, page, success } from './define-route.js';

const tag = 'Administration';
const errors = ['FORBIDDEN', 'TWO_FACTOR_REQUIRED'] as const;
const errorsWithTarget = [...errors, 'NOT_FOUND'] as const;
const admin = { tag, scope: null, admin: true, errors } as const;

const queueParams = z.object({ queue: queueNameSchema });
const jobParams = z.object({ id: z.uuid().meta({ description: 'The job’s id.' }) });
const creationParams = z.object({ id: z.uuid().meta({ description: 'The creation’s id.' }) });
const userParams = z.object({ id: z.string().meta({ description: 'The user’s id.' }) });
const queues = { queues: z.array(queueStateSchema) };
const queueAct = {
  ...admin,
  params: queueParams,
  body: reasonBodySchema,
  answers: ok(queues, 'The queues'),
};
const headers = idempotencyKeyHeader(
  'The same key for the same job or user acts once. 422 with another request.',
);
const story = { 200: json(success({ job: jobStorySchema }), 'The job') };
const user = { 200: json(success({ user: adminUserDetailsSchema }), 'The user') };
const ofUser = { ...admin, params: userParams, answers: user, errors: errorsWithTarget };

export const adminRoutes = {
  adminOverview: defineRoute('GET', '/api/admin/overview', {
    ...admin,
    summary: 'Queues, programs and maintenance',
    answers: ok(
      { ...queues, programs: z.array(programSchema), tasks: z.array(maintenanceTaskSchema) },
      'The state now',
    ),
  }),
  adminPauseQueue: defineRoute('POST', '/api/admin/queues/:queue/pause', {
    ...queueAct,
    summary: 'Starts no further job of a queue',
    description: 'Running jobs continue, new jobs wait.',
    example: { reason: 'Provider outage' },
  }),
  adminResumeQueue: defineRoute('POST', '/api/admin/queues/:queue/resume', {
    ...queueAct,
    summary: 'Starts jobs of a queue again',
    example: { reason: 'The provider is back' },
  }),
  adminJobs: defineRoute('GET', '/api/admin/jobs', {
    ...admin,
    summary: 'Jobs of all users',
    query: adminJobsQuerySchema,
    answers: page({ jobs: z.array(adminJobSchema) }, 'Jobs, without titles, inputs and results'),
  }),
  adminCountJobs: defineRoute('GET', '/api/admin/jobs/count', {
    ...admin,
    summary: 'How many jobs a bulk act would change',
    query: jobFilterSchema.extend({ action: bulkSchema.shape.action }),
    answers: ok({ count }, `Jobs; at most ${MAX_BULK_JOBS} are changed at once`),
  }),
  adminActOnJobs: defineRoute('POST', '/api/admin/jobs/bulk', {
    ...admin,
    summary: 'Cancels or retries many jobs',
    description: `At most ${MAX_BULK_JOBS} at once. Refused with 400 if their number has changed since it was shown. The audit log has the act, with filter and numbers, and each job.`,
    body: bulkSchema,
    example: {
      action: 'retry',
      filter: { code: 'PROVIDER_FAILED', from: '2026-11-27T00:00:00Z' },
      count: 12,
      reason: 'The provider is back',
    },
    answers: ok({ changed: count, refused: count }, 'Changed jobs, and jobs that could not be changed'),
  }),
  adminJob: defineRoute('GET', '/api/admin/jobs/:id', {
    ...admin,
    summary: 'The story of a job',
    params: jobParams,
    answers: story,
    errors: errorsWithTarget,
  }),
  adminRevealJob: defineRoute('POST', '/api/admin/jobs/:id/reveal', {
    ...admin,
    summary: 'Title, input and result of a job',
    description: 'Private to the user, so it is in the audit log.',
    params: jobParams,
    body: reasonBodySchema,
    example: { reason: 'The user asked why it failed' },
    answers: ok(jobContentsSchema.shape, 'The contents'),
    errors: errorsWithTarget,
  }),
  adminRevealJobFile: defineRoute('POST', '/api/admin/jobs/:id/files/:field', {
    ...admin,
    summary: 'An uploaded file of a job',
    description: 'Private to the user, so it is in the audit log.',
    params: jobParams.extend({ field: z.string().meta({ description: 'The input field of the file.' }) }),
    body: reasonBodySchema,
    example: { reason: 'The user asked why it failed' },
    answers: fileAnswers({
      description: 'The file; its own type if it is a PDF or a picture that browsers show',
      content: {
        'image/png': z.file(),
        'image/jpeg': z.file(),
        'image/webp': z.file(),
        'application/pdf': z.string().meta({ format: 'binary' }),
        'application/octet-stream': z.string().meta({ format: 'binary' }),
      },
    }),
    errors: errorsWithTarget,
  }),
  adminCancelJob: defineRoute('POST', '/api/admin/jobs/:id/cancel', {
    ...admin,
    summary: 'Cancels a job and refunds its credits',
    params: jobParams,
    body: reasonBodySchema,
    example: { reason: 'The user asked for it' },
    answers: story,
    errors: [...errorsWithTarget, 'JOB_NOT_CANCELLABLE'],
  }),
  adminRetryJob: defineRoute('POST', '/api/admin/jobs/:id/retry', {
    ...admin,
    summary: 'Runs a failed or cancelled job again, as a new job',
    description:
      'It is charged to the user like the first. `input` replaces the whole stored input, which may be deleted already: a field that it lacks is removed or gets its default. Until the new job of an operator has ended, a second request returns it, or is refused with 409 `JOB_NOT_RETRYABLE` if its input is another.',
    params: jobParams,
    headers,
    body: reasonBodySchema.extend({
      input: z
        .record(z.string(), z.unknown())
        .optional()
        .meta({ description: 'The whole input of the new job.' }),
    }),
    example: { reason: 'The provider is back' },
    answers: story,
    errors: [
      ...errorsWithTarget,
      'JOB_NOT_RETRYABLE',
      'IDEMPOTENCY_MISMATCH',
      'PREMIUM_REQUIRED',
      'BUDGET_EXHAUSTED',
      'INSUFFICIENT_CREDITS',
      'STORAGE_FULL',
      'QUEUE_FULL',
    ],
  }),
  adminUsers: defineRoute('GET', '/api/admin/users', {
    ...admin,
    summary: 'Users, the newest first',
    query: adminUsersQuerySchema,
    answers: page({ users: z.array(adminUserSchema) }, 'Users'),
  }),
  adminUser: defineRoute('GET', '/api/admin/users/:id', {
    ...ofUser,
    summary: 'Plan, credits, storage, sessions and keys of a user',
  }),
  adminSuspendUser: defineRoute('POST', '/api/admin/users/:id/suspend', {
    ...ofUser,
    summary: 'Suspends a user',
    description:
      'Signs the user out everywhere, disconnects apps, refuses sign-ins and keys, and cancels waiting jobs. A second suspension keeps the first reason.',
    body: readReasonBodySchema,
    example: { reason: 'Spam' },
  }),
  adminUnsuspendUser: defineRoute('POST', '/api/admin/users/:id/unsuspend', {
    ...ofUser,
    summary: 'Lets a suspended user sign in again',
    body: reasonBodySchema,
    example: { reason: 'Explained' },
  }),
  adminSignOutUser: defineRoute('POST', '/api/admin/users/:id/sign-out', {
    ...ofUser,
    summary: 'Ends all sessions of a user',
    description: 'Disconnects the user’s apps too; API keys stay. Local accounts only.',
    body: reasonBodySchema,
    example: { reason: 'A lost phone' },
  }),
  adminSetPlan: defineRoute('POST', '/api/admin/users/:id/plan', {
    ...ofUser,
    summary: 'Sets a user’s plan',
    description: 'Local accounts only.',
    body: setPlanSchema.extend({ reason: reasonSchema }),
    example: { plan: 'premium', reason: 'A gift' },
  }),
  adminGiveCredits: defineRoute('POST', '/api/admin/users/:id/credits', {
    ...admin,
    summary: 'Gives a user credits of this month, or takes some away',
    params: userParams,
    headers,
    body: readReasonBodySchema.extend({
      amount: z
        .number('Give a whole number.')
        .int('Give a whole number.')
        .min(-1_000_000)
        .max(1_000_000)
        .refine((amount) => amount !== 0, 'Give a number other than 0.'),
    }),
    example: { amount: 10, reason: 'For the outage of yesterday' },
    answers: user,
    errors: [...errorsWithTarget, 'IDEMPOTENCY_MISMATCH'],
  }),
  adminSetLimits: defineRoute('POST', '/api/admin/users/:id/limits', {
    ...ofUser,
    summary: 'Gives a user other limits for a time',
    description:
      'Higher or lower than those of server and plan, for at most a year. `limits: null` ends them.',
    body: setLimitsSchema,
    example: {
      limits: { unfinishedJobs: 500, storageBytes: null, until: '2026-12-31T00:00:00Z' },
      reason: 'A workshop',
    },
  }),
  adminRevokeKey: defineRoute('POST', '/api/admin/users/:id/keys/:key/revoke', {
    ...ofUser,
    summary: 'Revokes an API key of a user',
    params: userParams.extend({ key: z.string().meta({ description: 'The key’s id.' }) }),
    body: reasonBodySchema,
    example: { reason: 'It leaked' },
  }),
  adminDeleteUser: defineRoute('DELETE', '/api/admin/users/:id', {
    ...admin,
    summary: 'Deletes a user with all rows and files',
    description: 'Local accounts only. `confirm` repeats the user’s email or id.',
    params: userParams,
    body: reasonBodySchema.extend({ confirm: z.string() }),
    example: { reason: 'Asked for by letter', confirm: 'ada@example.com' },
    answers: ok({ receipt: deletionReceiptSchema }, 'What was deleted'),
    errors: errorsWithTarget,
  }),
  adminCosts: defineRoute('GET', '/api/admin/costs', {
    ...admin,
    summary: 'What the AI service cost',
    description: 'Calls are kept for 90 days after the end of their month.',
    query: costsQuerySchema,
    answers: ok({ costs: z.array(providerCostSchema) }, 'The costs, the highest first, or by day'),
  }),
  adminBudgets: defineRoute('GET', '/api/admin/budgets', {
    ...admin,
    summary: 'The budgets for AI services and what is left of them this month',
    answers: ok(monthBudgetsSchema.shape, 'The budgets that are set'),
  }),
  adminReports: defineRoute('GET', '/api/admin/reports', {
    ...admin,
    summary: 'Pictures to decide about, hidden or published ones',
    description: 'Captions and pictures that are not public are left out.',
    query: moderationQuerySchema,
    answers: page({ creations: z.array(moderatedCreationSchema) }, 'The creations'),
  }),
  adminRevealCreation: defineRoute('POST', '/api/admin/creations/:id/reveal', {
    ...admin,
    summary: 'Caption and content of a creation',
    description: 'They may be private to the user, so it is in the audit log.',
    params: creationParams,
    body: reasonBodySchema,
    example: { reason: 'It waits for an approval' },
    answers: ok(creationContentsSchema.shape, 'The contents'),
    errors: errorsWithTarget,
  }),
  adminDecide: defineRoute('POST', '/api/admin/creations/:id/decide', {
    ...admin,
    summary: 'Decides about a published creation',
    description:
      '`approve` publishes a picture that waits or was refused, `hide` hides one, `restore` shows a hidden one again, `dismiss` closes its reports and an appeal and leaves it as it is; its reporters cannot report the unchanged picture again. `takedown` ends publication and share link of any creation. Its user reads the reason of `hide` and `takedown` too. A second equal decision changes nothing.',
    params: creationParams,
    body: reasonBodySchema.extend({
      decision: z.enum(['approve', 'hide', 'restore', 'dismiss', 'takedown'], {
        error: 'Choose approve, hide, restore, dismiss or takedown.',
      }),
    }),
    example: { decision: 'hide', reason: 'Shows a person who did not agree' },
    answers: ok({}, 'Decided'),
    errors: errorsWithTarget,
  }),
  adminAudit: defineRoute('GET', '/api/admin/audit', {
    ...admin,
    summary: 'What operators did, the newest first',
    query: auditQuerySchema,
    answers: ok({ entries: z.array(auditEntrySchema) }, 'Entries'),
  }),
  adminAuditCsv: defineRoute('GET', '/api/admin/audit.csv', {
    ...admin,
    summary: 'The audit log as CSV, the oldest entries first',
    query: auditFilterSchema,
    answers: { 200: { description: 'The log', content: { 'text/csv': z.string() } } },
  }),
};
