import { z } from 'zod';
import {
  creditsSchema,
  planChangeSchema,
  planSchema,
  profileSchema,
  roleSchema,
  storageUseSchema,
  subscriptionSchema,
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

const planStateSchema = z.object({
  waiting: count,
  running: count,
  oldestWaitSeconds: seconds
    .nullable()
    .meta({ description: 'Of the waiting jobs, since they were created or their last attempt ended.' }),
  oldestJobId: z.uuid().nullable(),
  endedPerMinute: z
    .number()
    .meta({ description: 'Succeeded, failed and cancelled jobs, over the last five minutes.' }),
});

export const queueStateSchema = z
  .object({
    queue: queueNameSchema,
    plans: z.object({ premium: planStateSchema, standard: planStateSchema }),
    slots: count.meta({ description: 'Jobs of both plans that the running workers take at once.' }),
    reservedSlots: count.meta({
      description:
        'Of these, how many are kept now for standard jobs: premium jobs and those of slowed users leave them free. 0 without standard jobs.',
    }),
    failedLastHour: count.meta({ description: 'Of the jobs of the last 24 hours.' }),
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
    ranAt: time.meta({ description: 'End of the last run that succeeded, or of the first if none did.' }),
    milliseconds: count,
    error: z.string().nullable().meta({ description: 'Why the last run failed.' }),
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
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Without quoted words, which may be the user’s.' }),
    createdAt: time,
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    waitedSeconds: seconds.meta({
      description:
        'While it waits, since it was created or its last attempt ended; else until its first start or its end.',
    }),
    ranSeconds: seconds
      .nullable()
      .meta({ description: 'Since its first start, until its end or now. Null while it waits.' }),
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

/** Whether the act was done, changed nothing or a part, failed, or was refused, with the error code. */
export function auditOutcome({
  details: { refused, changed, count: jobs, failed },
}: Pick<AuditEntry, 'details'>): string {
  if (typeof refused === 'string') return `refused: ${refused}`;
  if (typeof changed === 'number' && typeof jobs === 'number') {
    const part = `${changed} of ${jobs} changed`;
    if (failed === true) return `failed, ${part}`;
    if (changed > 0) return changed === jobs ? 'done' : part;
  }
  return changed === false || changed === 0 ? 'no change' : 'done';
}

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
        'The day, the tool (`publishing` for checks of pictures), the model, or the id of user or key. Null for calls of deleted users and without a key.',
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

/** Budgets for AI services: of all jobs, of those of a plan, and of those of each user. */
export const budgetNames = ['all', 'free', 'premium', 'user'] as const;
export type BudgetName = (typeof budgetNames)[number];

export const budgetUseSchema = z
  .object({
    budget: z.enum(budgetNames).meta({
      description: 'Of all jobs, of those of a plan, or of those of one user.',
    }),
    userId: z.string().nullable(),
    email: z.string().nullable(),
    limit: z.number(),
    spent: z.number(),
    reserved: z.number().meta({ description: 'By jobs that run.' }),
  })
  .meta({ id: 'BudgetUse' });
export type BudgetUse = z.infer<typeof budgetUseSchema>;

/** Monthly budgets for AI services, in `currency`. */
export const monthBudgetsSchema = z.object({
  month: z.string().meta({ description: 'In UTC, as 2026-11.' }),
  currency: z.string().nullable().meta({ description: 'Null without a price list.' }),
  budgets: z.array(budgetUseSchema).meta({
    description: 'Those that are set; of users, the five who spent most.',
  }),
});
export type MonthBudgets = z.infer<typeof monthBudgetsSchema>;

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
  errorCode: z.string().nullable().meta({
    description:
      "The HTTP status, `timeout`, a code of the network such as `ECONNREFUSED`, the service's own code, or what was wrong with the answer, such as `length`.",
  }),
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
      .meta({ description: 'Its calls of the AI service, kept for 90 days after the end of their month.' }),
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
  id: z.uuid('Give the id of a job.').optional().meta({ description: 'Of the job, or of its request.' }),
  user: z
    .string()
    .max(320)
    .optional()
    .meta({ description: 'Id or email; a part of the email, if no user has this id or email.' }),
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
  words: z.string().max(200).optional().meta({
    description:
      'Words of the error’s message as it is listed, all of them in any order, or the id of the request.',
  }),
  from: givenTime.optional().meta({ description: 'Earliest creation time, inclusive.' }),
  to: givenTime.optional().meta({ description: 'Latest creation time, exclusive.' }),
  endedFrom: givenTime.optional().meta({ description: 'Earliest end time, inclusive.' }),
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
    subscription: subscriptionSchema.nullable().meta({ description: 'By Stripe; null without one.' }),
    planChanges: z
      .array(
        planChangeSchema.extend({
          note: z
            .string()
            .nullable()
            .meta({ description: 'Id and status of the subscription that decided.' }),
        }),
      )
      .meta({ description: 'The last 50, the newest first.' }),
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

const auditFilterShape = {
  operator: z.string().max(320).optional().meta({ description: 'Part of the name.' }),
  action: z.string().max(60).optional().meta({ description: 'Or its beginning, such as `user.`.' }),
  target: z
    .string()
    .max(320)
    .optional()
    .meta({ description: 'Id of what was changed, or of the user whom it belongs to.' }),
  from: givenTime.optional(),
  to: givenTime.optional().meta({ description: 'Exclusive.' }),
};
export const auditFilterSchema = z.object(auditFilterShape);
export type AuditFilter = z.infer<typeof auditFilterSchema>;

export const auditQuerySchema = z.object({
  ...auditFilterShape,
  before: z.coerce.number('Give the id of an entry.').int().min(1).optional().meta({
    description: 'Only entries with a lower id, for the next page.',
  }),
  limit: limitSchema(MAX_LISTED, 50),
});

export const jobContentsSchema = z.object({
  title: z.string(),
  input: z.unknown().meta({ description: 'Null once the job has succeeded.' }),
  result: z.record(z.string(), z.unknown()).nullable(),
  partial: z.string(),
  error: z.string().nullable().meta({ description: 'The whole message of the error.' }),
  progress: z.string().meta({ description: 'The whole message of its stage.' }),
  files: z
    .array(z.object({ field: z.string(), name: z.string(), type: z.string(), bytes: count }))
    .meta({ description: 'Its uploaded files that are not deleted yet.' }),
});
export type JobContents = z.infer<typeof jobContentsSchema>;

export const deletionReceiptSchema = z
  .object({
    id: z.string(),
    deletedAt: time,
    operator: z.string(),
    rows: z.record(z.string(), count).meta({ description: 'Deleted rows by table.' }),
    unlinked: z
      .record(z.string(), count)
      .meta({ description: 'Rows that stay without the user’s id, by table.' }),
    files: z.object({ count, bytes: count }).meta({
      description:
        'Files whose deletion is queued. The audit log has `user.files-deleted` once they are gone, except if the file store failed at the deletion.',
    }),
    left: z
      .record(z.string(), count)
      .meta({ description: 'Rows with the user’s id that are left, by table.' }),
    sha256: z
      .string()
      .meta({ description: 'SHA-256 of the other fields as JSON. The audit log has it too.' }),
  })
  .meta({ id: 'DeletionReceipt' });
export type DeletionReceipt = z.infer<typeof deletionReceiptSchema>;

export const shownCreations = ['open', 'hidden', 'published'] as const;
export const moderationQuerySchema = z.object({
  show: z
    .enum(shownCreations, { error: `Choose one of ${shownCreations.join(', ')}.` })
    .default('open')
    .meta({
      description:
        '`open`: pictures with open reports or an open appeal, or waiting for an approval, the oldest first. `hidden`: what is hidden, refused or taken down, `published`: public pictures, the newest first.',
    }),
  id: z
    .uuid('Give the id of a creation.')
    .optional()
    .meta({ description: 'Only this creation, also if it is private or a text.' }),
  cursor: cursorSchema,
  limit: limitSchema(MAX_LISTED, 30),
});
export type ModerationQuery = z.infer<typeof moderationQuerySchema>;

export const creationContentsSchema = z.object({
  caption: z.string(),
  image: z.string().nullable().meta({ description: 'URL of the picture, also while it is not public.' }),
  thumbnail: z.string().nullable(),
  text: z.string().nullable(),
});
export type CreationContents = z.infer<typeof creationContentsSchema>;

export const moderatedCreationSchema = z.object({
  id: z.string(),
  userId: z.string(),
  type: z.string(),
  published: z.boolean(),
  isTakenDown: z.boolean(),
  contents: creationContentsSchema
    .omit({ text: true })
    .nullable()
    .meta({ description: 'Null while it is not public.' }),
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
export type ModeratedCreation = z.infer<typeof moderatedCreationSchema>;
