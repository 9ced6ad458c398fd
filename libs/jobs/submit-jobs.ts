import { z } from 'zod';
import { planSchema, roleSchema, userLimitsSchema, type Account, type Plan } from '#libs/contract/account.js';
import type { QueueName } from '#libs/contract/jobs.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { entityFrom, jsonRow, queryPrepared, type Database } from '#libs/database/sql.js';
import type { ToolInput, ToolName } from '#libs/tools/catalogue.js';
import { apiKeyRefusalSchema } from '#libs/billing/api-key-caps.js';
import { toCredits, type Month } from '#libs/billing/credits.js';
import type { QueueState } from '#libs/scheduling/queue-positions.js';
import { SLOWED_MIN_WEIGHT, SLOWED_HALF_LIFE_MINUTES } from '#libs/scheduling/fair-shares.js';
import { IMAGE_RESULT_BYTES } from '#libs/billing/storage-quota.js';
import {
  COUNTED_AT_MOST,
  countedWorkSchema,
  type CountedWork,
  type OwnWork,
} from '#libs/scheduling/work-ahead.js';
import { gatherTransactions } from './gather-transactions.js';

/** Parameter of the database function `submit_jobs`: one request for one or several jobs. */
export interface JobsRequest extends QueueState {
  userId: string;
  tool: ToolName;
  queue: QueueName;
  needsPremium: boolean;
  /** In the request's order. */
  jobs: { id: string; title: string; input: ToolInput<ToolName>; size: number }[];
  files: Record<string, string>;
  /** Key of the program that sent the request. */
  apiKeyId?: string;
  idempotencyKey?: string;
  /** Identifies the request among those with its `idempotencyKey`. */
  requestHash?: string;
  retryOf?: string;
  batchId?: string;
  groupId?: string;
  requestId?: string;
  traceParent?: string;
  /** Price of each job on the free plan. */
  credits: number;
  /** Grant of the free plan, which is added if this is the month's first job. */
  monthlyCredits: number;
  month: Month;
  /** Charge for this job that was made when its batch or flow was created, so the job is not charged again. */
  paid?: { credits: number; price: number | null; chargeMonth: string | null };
  unfinishedAtMost: number;
  /** Share of the unfinished jobs that may be pictures of batches; only for such a picture. */
  batchItemsShare?: number;
  waitingAtMost: Record<Plan, number>;
  storageAtMost: Record<Plan, number>;
  /** Bytes of files that are not yet part of the user's storage. */
  newBytes: number;
  /** Bytes of storage reserved for the result of each job. */
  resultBytes: number;
  /**
   * Cached storage use in bytes, for users with many creations. Ignored if the request has files or the quota is nearly
   * used up.
   */
  knownStored?: number;
  /** True for a request that is repeated because another one in its transaction failed. */
  mayBeStored?: true;
}

/**
 * Number of jobs that may have been added since the cached count. Near the limit of a queue, the jobs are counted
 * again.
 */
const COUNT_MARGIN = 2_000;

/** Settings that are the same for every request. */
const CONSTANTS = {
  countedAtMost: COUNTED_AT_MOST,
  knownMargin: COUNT_MARGIN,
  imageResultBytes: IMAGE_RESULT_BYTES,
  slowed: { from: SLOWED_MIN_WEIGHT, halfLifeSeconds: SLOWED_HALF_LIFE_MINUTES * 60 },
};

const refused = <const Code extends string>(code: Code) => z.object({ refused: z.literal(code) });

const refusalSchema = z.discriminatedUnion('refused', [
  refused('account-gone'),
  refused('suspended').extend({ reason: z.string().nullable() }),
  refused('premium-required'),
  refused('unfinished').extend({ atMost: z.number() }),
  refused('batch-items').extend({ atMost: z.number() }),
  refused('queue-full').extend({ waitingAtMost: z.number() }),
  // `purge-first`: the request fits once the user's deleted creations are purged.
  ...(['storage-full', 'purge-first'] as const).map((code) =>
    refused(code).extend({ used: z.number(), needed: z.number(), limit: z.number() }),
  ),
  refused('credits').extend({ needed: z.number() }),
  refused('api-key').extend({ reason: apiKeyRefusalSchema }),
]);
export type Refusal = z.infer<typeof refusalSchema>;

const storedSchema = z.object({
  jobs: z.array(jsonRow),
  own: z.object({ ahead: z.number(), seconds: z.number() }),
  counted: countedWorkSchema.nullable(),
  account: z.object({
    plan: planSchema,
    role: roleSchema,
    name: z.string(),
    email: z.string().nullable(),
    imageUrl: z.string().nullable(),
    granted: z.number().nullable(),
    balance: z.number().nullable(),
    stored: z.number(),
    storageLimit: z.number(),
    limits: userLimitsSchema
      .extend({ until: z.coerce.date().transform((date) => date.toISOString()) })
      .nullable(),
  }),
  /** Number of creations that were counted. Null if the cached byte count was used. */
  countedCreations: z.number().nullable().default(null),
  usedBytes: z.number().default(0),
});

const answerSchema = z.object({
  answer: z.union([
    storedSchema,
    refusalSchema,
    // The Idempotency-Key was used before. `isSame` is false if it was used for a different request.
    z.object({ existing: z.string(), isSame: z.boolean() }),
    // The user's row was locked, and the call was made without waiting for locks.
    refused('locked'),
  ]),
});

/** Stored jobs with their user's account. */
export interface SubmittedJobs {
  jobs: [JobEntity, ...JobEntity[]];
  /** Waiting work ahead of the first job. Null if the queue is too long to count. */
  counted: CountedWork | null;
  own: OwnWork;
  account: Account;
  /** Number of creations that were counted for the storage use. Null if the cached byte count was used. */
  countedCreations: number | null;
  /** Storage use in bytes, including deleted creations that can be restored. */
  usedBytes: number;
}

export type SubmitAnswer = SubmittedJobs | Refusal | { existing: string; isSame: boolean };

/**
 * Submits requests in one transaction. A single request waits for the lock of its user's row; several return null
 * instead.
 */
async function submitTogether(database: Database, requests: JobsRequest[]): Promise<(SubmitAnswer | null)[]> {
  const rows = await queryPrepared(
    database,
    answerSchema,
    {
      name: 'submit_jobs',
      text: `SELECT submit_jobs(request, $2::boolean) AS answer FROM jsonb_array_elements($1::jsonb) AS given (request)`,
    },
    [JSON.stringify(requests.map((request) => ({ ...request, ...CONSTANTS }))), requests.length === 1],
  );
  return rows.map(({ answer }, index) => {
    if ('jobs' in answer) return toSubmitted(database, answer, requests[index]!);
    return 'refused' in answer && answer.refused === 'locked' ? null : answer;
  });
}

/** @throws Error if the database is unavailable */
export async function submitJobs(database: Database, request: JobsRequest): Promise<SubmitAnswer> {
  const [answer] = await submitTogether(database, [request]);
  if (!answer) throw new Error('A submission that waits found its user locked.');
  return answer;
}

/** Limits: requests per transaction (`atMost`) and concurrent transactions (`groups`). */
const TOGETHER = { atMost: 16, groups: 2 };

/**
 * Returns a function that submits a request. Concurrent requests share a transaction, since most of the cost is the
 * round trip and the disk write. A locked or failed request does not delay or fail the others.
 */
export const submitTogetherWithOthers = (
  database: Database,
): ((request: JobsRequest) => Promise<SubmitAnswer>) =>
  gatherTransactions(
    TOGETHER,
    (requests) => submitTogether(database, requests),
    (request) => submitJobs(database, { ...request, mayBeStored: true }),
  );

function toSubmitted(
  database: Database,
  { jobs, account, ...known }: z.infer<typeof storedSchema>,
  { userId, month, monthlyCredits }: JobsRequest,
): SubmittedJobs {
  const { plan, role, name, email, imageUrl, granted, balance, stored, storageLimit, limits } = account;
  return {
    jobs: jobs.map((row) => entityFrom(database, JobEntity, row)) as SubmittedJobs['jobs'],
    ...known,
    account: {
      plan,
      role,
      credits: toCredits(
        granted === null || balance === null ? null : { granted, balance },
        plan,
        month,
        monthlyCredits,
      ),
      storage: { used: Math.max(0, stored), limit: storageLimit },
      ...(limits && { limits }),
      profile: { id: userId, fullName: name, email, imageUrl },
    },
  };
}
