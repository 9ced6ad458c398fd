import { z } from 'zod';
import {
  creditsSchema,
  planSchema,
  profileSchema,
  roleSchema,
  storageUseSchema,
  userLimitsSchema,
} from './account.js';
import { count, jobStatusSchema, queueNames } from './jobs.js';
import { moderationCauses } from './moderation.js';
import { cursorSchema, limitSchema } from './pagination.js';

/** What operators see and do. Times are ISO 8601 in UTC. */

const time = z.iso.datetime();
/** Years before 1000 are refused: PostgreSQL has no year 0. */
const givenTime = z.iso
  .datetime('Give a time as 2026-11-27T22:00:00Z.')
  .regex(/^[1-9]/, 'Give a year from 1000.');
const givenDay = z.iso.date('Give a day as 2026-11-27.').regex(/^[1-9]/, 'Give a year from 1000.');
const seconds = z.number().min(0);
export const queueNameSchema = z.enum(queueNames, { error: `Choose one of ${queueNames.join(', ')}.` });

export const reasonSchema = z
  .string('Give a reason.')
  .trim()
  .min(1, 'Give a reason.')
  .max(500, 'Give a reason of at most 500 characters.');
export const reasonBodySchema = z.object({
  reason: reasonSchema.meta({ description: 'Kept in the audit log.' }),
});
export const readReasonBodySchema = z.object({
  reason: reasonSchema.meta({ description: 'Kept in the audit log. The user reads it too.' }),
});

export const queueStateSchema = z
  .object({
    queue: queueNameSchema,
    waiting: z.object({ premium: count, standard: count }),
    running: count,
    slots: count.meta({ description: 'Jobs that the running workers take at once.' }),
    oldestWaitSeconds: seconds.nullable(),
    oldestJobId: z.uuid().nullable(),
    finishedPerMinute: z.number().meta({ description: 'Over the last five minutes.' }),
    failedLastHour: count,
    paused: z.boolean(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'QueueState' });
export type QueueState = z.infer<typeof queueStateSchema>;

export const programSchema = z
  .object({
    id: z.string().meta({ description: 'Host and process id.' }),
    kind: z.enum(['api', 'worker']),
    version: z.string(),
    startedAt: time,
    seenAt: time,
    isRunning: z.boolean().meta({ description: 'False if it has not written for 15 seconds.' }),
    errors: z.array(z.object({ at: time, message: z.string() })).meta({
      description: 'Its last warnings and errors, the newest first.',
    }),
  })
  .meta({ id: 'Program' });
export type Program = z.infer<typeof programSchema>;

export const maintenanceTaskSchema = z
  .object({
    name: z.string(),
    program: z.string(),
    ranAt: time,
    milliseconds: count,
    error: z.string().nullable(),
  })
  .meta({ id: 'MaintenanceTask' });
export type MaintenanceTask = z.infer<typeof maintenanceTaskSchema>;

export const adminJobSchema = z
  .object({
    id: z.uuid(),
    tool: z.string(),
    queue: queueNameSchema,
    status: jobStatusSchema,
    userId: z.string(),
    email: z.string().nullable(),
    priority: z.enum(['premium', 'standard']),
    attempts: count,
    credits: count,
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: time,
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    waitedSeconds: seconds.meta({ description: 'Until its first start, or until now.' }),
    ranSeconds: seconds.nullable(),
  })
  .meta({ id: 'AdminJob' });
export type AdminJob = z.infer<typeof adminJobSchema>;

export const attemptSchema = z.object({
  attempt: count,
  worker: z.string().nullish(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  outcome: z.string().optional().meta({
    description:
      '`succeeded`, `failed`, `cancelled`, `retried`, `waited` (also several in a row), `released` or `lost`. Absent while it runs.',
  }),
  message: z.string().optional(),
});

export const auditEntrySchema = z
  .object({
    id: z.number().int(),
    at: time,
    operator: z.string(),
    action: z.string(),
    target: z.string(),
    reason: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const costGroups = ['day', 'tool', 'model', 'user', 'key'] as const;

const DAYS_LISTED = 92;
export const costsQuerySchema = z
  .object({
    from: givenDay.meta({ description: 'First day, in UTC.' }),
    to: givenDay.meta({ description: 'Last day, in UTC.' }),
    by: z.enum(costGroups, { error: `Choose one of ${costGroups.join(', ')}.` }).default('tool'),
  })
  .refine(
    ({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < DAYS_LISTED * 86_400_000,
    `Choose at most ${DAYS_LISTED} days, the first before the last.`,
  );
export type CostsQuery = z.infer<typeof costsQuerySchema>;

export const providerCostSchema = z
  .object({
    group: z.string().nullable().meta({
      description:
        'The day, the tool, the model, or the id of user or key. Null for calls of deleted users and without a key.',
    }),
    label: z.string().nullable().meta({
      description:
        'Email of the user, name of the key, or “all others” for the sum of those after the first 1,000.',
    }),
    calls: count,
    failed: count,
    inputTokens: count,
    cachedTokens: count,
    outputTokens: count,
    images: count,
    cost: z.number().nullable().meta({ description: 'In `currency`. Null without a price list.' }),
    currency: z.string().nullable(),
    estimatedCost: z.number().meta({
      description: 'Share of `cost` that was estimated, since the provider counted no tokens.',
    }),
    unpriced: count.meta({ description: 'Calls without a price.' }),
  })
  .meta({ id: 'ProviderCost' });
export type ProviderCost = z.infer<typeof providerCostSchema>;

export const providerCallSchema = z.object({
  attempt: count,
  provider: z.enum(['main', 'fallback']),
  model: z.string(),
  kind: z.string(),
  status: z.string(),
  at: time,
  seconds: seconds.nullable(),
  inputTokens: count,
  outputTokens: count,
  images: count,
  cost: z.number().nullable(),
  currency: z.string().nullable(),
  errorCode: z.string().nullable(),
});

export const jobStorySchema = adminJobSchema
  .extend({
    attemptLog: z.array(attemptSchema).meta({ description: 'The last 50 attempts.' }),
    failures: count,
    lostAttempts: count,
    progress: z.object({ percent: z.number(), stage: z.string(), message: z.string() }),
    engine: z.string().nullable(),
    ledger: z.array(
      z.object({
        kind: z.string(),
        amount: z.number().int(),
        month: z.string(),
        apiKeyId: z.string().nullable(),
        note: z.string().nullable(),
        at: time,
      }),
    ),
    calls: z
      .array(providerCallSchema)
      .meta({ description: 'Its calls of the AI service, kept for 90 days.' }),
    requestId: z.string().nullable(),
    traceId: z.string().nullable(),
    traceUrl: z.string().nullable().meta({ description: 'The trace at the address of `TRACE_URL`.' }),
    batchId: z.uuid().nullable(),
    flowId: z.uuid().nullable(),
    retryOf: z.uuid().nullable(),
    retriedBy: z.array(z.uuid()),
    hasInput: z.boolean(),
    audit: z.array(auditEntrySchema),
  })
  .meta({ id: 'JobStory' });
export type JobStory = z.infer<typeof jobStorySchema>;

const jobFilterShape = {
  id: z.uuid('Give the id of a job.').optional(),
  user: z.string().max(320).optional().meta({ description: 'Id or email.' }),
  tool: z
    .string()
    .regex(/^[a-z][a-z-]{0,59}$/, 'Give the name of one tool.')
    .optional(),
  queue: queueNameSchema.optional(),
  status: jobStatusSchema.optional(),
  code: z
    .string()
    .regex(/^[A-Z_]{1,60}$/, 'Give an error code.')
    .optional(),
  words: z.string().max(200).optional().meta({ description: 'Part of the error’s message.' }),
  from: givenTime.optional(),
  to: givenTime.optional(),
};
export const jobFilterSchema = z.object(jobFilterShape);
export type JobFilter = z.infer<typeof jobFilterSchema>;

const MAX_LISTED = 100;
export const adminJobsQuerySchema = z.object({
  ...jobFilterShape,
  order: z
    .enum(['newest', 'longest-wait'], { error: 'Choose newest or longest-wait.' })
    .default('newest')
    .meta({ description: '`longest-wait` lists the waiting jobs, the longest wait first.' }),
  cursor: cursorSchema,
  limit: limitSchema(MAX_LISTED, 30),
});
export type AdminJobsQuery = z.infer<typeof adminJobsQuerySchema>;

/** Jobs that one bulk act changes, at most. */
export const MAX_BULK_JOBS = 1_000;
export const bulkSchema = z.object({
  action: z.enum(['cancel', 'retry'], { error: 'Choose cancel or retry.' }),
  filter: jobFilterSchema,
  count: count.meta({ description: 'The number of jobs that the caller saw; another one is refused.' }),
  reason: reasonSchema,
});
export type BulkAct = z.infer<typeof bulkSchema>;

export const adminUserSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    plan: planSchema,
    role: roleSchema,
    createdAt: time,
    suspendedAt: time.nullable(),
    creations: count,
  })
  .meta({ id: 'AdminUser' });
export type AdminUser = z.infer<typeof adminUserSchema>;

export const adminUserDetailsSchema = z
  .object({
    profile: profileSchema,
    plan: planSchema,
    role: roleSchema,
    credits: creditsSchema,
    storage: storageUseSchema,
    limits: userLimitsSchema.optional(),
    createdAt: time,
    suspendedAt: time.nullable(),
    suspendedReason: z.string().nullable(),
    creations: count,
    published: count,
    jobs: z.record(z.string(), count),
    sessions: z.array(
      z.object({
        id: z.string(),
        createdAt: time,
        userAgent: z.string().nullable(),
        method: z.string().nullable(),
      }),
    ),
    keys: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        scopes: z.array(z.string()),
        createdAt: time,
        lastUsedAt: time.nullable(),
      }),
    ),
    audit: z.array(auditEntrySchema),
  })
  .meta({ id: 'AdminUserDetails' });
export type AdminUserDetails = z.infer<typeof adminUserDetailsSchema>;

/** `limits` is null to end them. */
export const setLimitsSchema = reasonBodySchema.extend({
  limits: userLimitsSchema
    .refine(
      ({ unfinishedJobs, storageBytes }) => unfinishedJobs !== null || storageBytes !== null,
      'Give a number of jobs or bytes.',
    )
    .nullable(),
});

export const adminUsersQuerySchema = z.object({
  search: z.string().max(320).optional().meta({ description: 'Part of name, email or id.' }),
  plan: planSchema.optional(),
  suspended: z.enum(['true', 'false'], { error: 'Choose true or false.' }).optional(),
  cursor: cursorSchema,
  limit: limitSchema(MAX_LISTED, 30),
});

export const auditQuerySchema = z.object({
  operator: z.string().max(320).optional(),
  action: z.string().max(60).optional(),
  target: z.string().max(320).optional(),
  before: z.coerce.number('Give the id of an entry.').int().min(1).optional().meta({
    description: 'Only entries with a lower id, for the next page.',
  }),
  limit: limitSchema(MAX_LISTED, 50),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

export const deletionReceiptSchema = z
  .object({
    id: z.string(),
    deletedAt: time,
    operator: z.string(),
    rows: z.record(z.string(), count).meta({ description: 'Deleted rows by table.' }),
    unlinked: z
      .record(z.string(), count)
      .meta({ description: 'Rows that stay without the user’s id, by table.' }),
    files: z.object({ count, bytes: count }),
    left: z
      .record(z.string(), count)
      .meta({ description: 'Rows with the user’s id that are left, by table.' }),
    sha256: z
      .string()
      .meta({ description: 'SHA-256 of the other fields as JSON. The audit log has it too.' }),
  })
  .meta({ id: 'DeletionReceipt' });
export type DeletionReceipt = z.infer<typeof deletionReceiptSchema>;

export const reportedPictureSchema = z.object({
  id: z.string(),
  userId: z.string(),
  published: z.boolean(),
  caption: z.string(),
  image: z.string().meta({ description: 'URL of the picture, also while it is not public.' }),
  thumbnail: z.string().nullable(),
  state: z.enum(['approved', 'waiting', 'refused', 'hidden']).nullable(),
  cause: z.enum(moderationCauses).nullable(),
  reason: z.string().nullable(),
  appeal: z.string().nullable(),
  isAppealOpen: z.boolean(),
  openReports: z.number(),
  countedReports: z.number(),
  reports: z.array(
    z.object({
      reason: z.string(),
      words: z.string(),
      counts: z.boolean(),
      userId: z.string(),
      at: time,
    }),
  ),
  since: time,
});
export type ReportedPicture = z.infer<typeof reportedPictureSchema>;
