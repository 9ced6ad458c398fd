import { z } from 'zod';
import { planSchema, roleSchema, type Account, type Plan } from '#libs/contract/account.js';
import { FREE_MONTHLY_CREDITS } from '#libs/contract/limits.js';
import type { QueueName } from '#libs/contract/jobs.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { entityFrom, isDatabaseUnavailable, queryPrepared, type Database } from '#libs/database/sql.js';
import { gather } from '#libs/resilience/gather.js';
import type { ToolInput, ToolName } from '#libs/tools/catalogue.js';
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

/** Parameter of the database function `submit_jobs`: a request that starts one or several jobs. */
export interface JobsRequest extends QueueState {
  userId: string;
  tool: ToolName;
  queue: QueueName;
  needsPremium: boolean;
  /** In their order. */
  jobs: { id: string; title: string; input: ToolInput<ToolName>; size: number }[];
  files: Record<string, string>;
  idempotencyKey?: string;
  requestHash: string;
  retryOf?: string;
  batchId?: string;
  groupId?: string;
  requestId?: string;
  traceParent?: string;
  /** For each job, on the free plan. */
  credits: number;
  /** In which the jobs are charged. */
  month: Month;
  /** The charge that was made with its batch or flow. */
  paid?: { credits: number; chargeMonth: string | null };
  unfinishedAtMost: number;
  /** Pictures of batches that may be unfinished, for a request that sends one. */
  batchItemsAtMost?: number;
  waitingAtMost: Record<Plan, number>;
  storageAtMost: Record<Plan, number>;
  /** Bytes of files that do not count as the user's storage yet. */
  newBytes: number;
  /** Bytes reserved for the result of each job. */
  resultBytes: number;
  /** Cached bytes of a user with many creations; counted again if little is free, or for files. */
  knownStored?: number;
}

/** Jobs that may have been added since the cached count. */
const COUNT_MARGIN = 2_000;

/** Constants of each request. */
const CONSTANTS = {
  countedAtMost: COUNTED_AT_MOST,
  knownMargin: COUNT_MARGIN,
  monthlyCredits: FREE_MONTHLY_CREDITS,
  imageResultBytes: IMAGE_RESULT_BYTES,
  slowed: { from: SLOWED_MIN_WEIGHT, halfLifeSeconds: SLOWED_HALF_LIFE_MINUTES * 60 },
};

const refused = <const Code extends string>(code: Code) => z.object({ refused: z.literal(code) });

const refusalSchema = z.discriminatedUnion('refused', [
  refused('account-gone'),
  refused('premium-required'),
  refused('unfinished'),
  refused('batch-items'),
  refused('queue-full').extend({ waitingAtMost: z.number() }),
  // `purge-first`: there is room once deleted creations are purged.
  ...(['storage-full', 'purge-first'] as const).map((code) =>
    refused(code).extend({ used: z.number(), needed: z.number(), limit: z.number() }),
  ),
  refused('credits').extend({ needed: z.number() }),
]);
export type Refusal = z.infer<typeof refusalSchema>;

const storedSchema = z.object({
  jobs: z.array(z.record(z.string(), z.unknown())),
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
  }),
  /** The number of counted creations; null if the cached bytes were used. */
  countedCreations: z.number().nullable().default(null),
  usedBytes: z.number().default(0),
});

const answerSchema = z.object({
  answer: z.union([
    storedSchema,
    refusalSchema,
    // A job was stored with the same Idempotency-Key, for the same request or another.
    z.object({ existing: z.string(), isSame: z.boolean() }),
    // The user's row was locked, and the call was not to wait.
    refused('locked'),
  ]),
});

/** Stored jobs, with the queue before the first and the account of their user. */
export interface SubmittedJobs {
  jobs: [JobEntity, ...JobEntity[]];
  /** Null for a long queue. */
  counted: CountedWork | null;
  own: OwnWork;
  account: Account;
  /** The number of creations in the account's storage; null if the cached bytes were used. */
  countedCreations: number | null;
  /** Bytes that the user stores, restorable creations included. */
  usedBytes: number;
}

export type SubmitAnswer = SubmittedJobs | Refusal | { existing: string; isSame: boolean };

/** Submits requests in one transaction. It waits for the row of a user only if it submits a single request. */
async function submitTogether(
  database: Database,
  requests: JobsRequest[],
): Promise<(SubmitAnswer | { refused: 'locked' })[]> {
  const rows = await queryPrepared(
    database,
    answerSchema,
    {
      name: 'submit_jobs',
      text: `SELECT submit_jobs(request, $2::boolean) AS answer FROM jsonb_array_elements($1::jsonb) AS given (request)`,
    },
    [JSON.stringify(requests.map((request) => ({ ...request, ...CONSTANTS }))), requests.length === 1],
  );
  return rows.map(({ answer }, index) =>
    'jobs' in answer ? toSubmitted(database, answer, requests[index]!) : answer,
  );
}

/** @throws Error if the database is unavailable */
export async function submitJobs(database: Database, request: JobsRequest): Promise<SubmitAnswer> {
  const [answer] = await submitTogether(database, [request]);
  if (!answer || isLocked(answer)) throw new Error('A submission that waits found its user locked.');
  return answer;
}

/** Requests in one transaction, and concurrent transactions. */
const TOGETHER = { atMost: 16, groups: 2 };

/**
 * Requests of the same moment share a transaction, since a submission's cost is mostly the round trip and the disk write.
 * No request waits for another's user or fails with it.
 */
export const submitTogetherWithOthers = (
  database: Database,
): ((request: JobsRequest) => Promise<SubmitAnswer>) => {
  const submit = gather(TOGETHER, async (requests: JobsRequest[]) => {
    try {
      return await submitTogether(database, requests);
    } catch (error) {
      // An id is stored once: one whose transaction was committed although its connection broke is not stored twice.
      if (requests.length === 1 || isDatabaseUnavailable(error)) throw error;
      return requests.map(() => ({ refused: 'locked' as const }));
    }
  });
  return async (request) => {
    const answer = await submit(request);
    return isLocked(answer) ? submitJobs(database, request) : answer;
  };
};

const isLocked = (answer: SubmitAnswer | { refused: 'locked' }): answer is { refused: 'locked' } =>
  'refused' in answer && answer.refused === 'locked';

function toSubmitted(
  database: Database,
  { jobs, account, ...known }: z.infer<typeof storedSchema>,
  { userId, month, storageAtMost }: JobsRequest,
): SubmittedJobs {
  const { plan, role, name, email, imageUrl, granted, balance, stored } = account;
  return {
    jobs: jobs.map((row) => entityFrom(database, JobEntity, row)) as SubmittedJobs['jobs'],
    ...known,
    account: {
      plan,
      role,
      credits: toCredits(granted === null || balance === null ? null : { granted, balance }, plan, month),
      storage: { used: Math.max(0, stored), limit: storageAtMost[plan] },
      profile: { id: userId, fullName: name, email, imageUrl },
    },
  };
}
