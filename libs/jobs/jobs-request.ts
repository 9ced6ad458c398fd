import { randomUUID } from 'node:crypto';
import { monthOf } from '#libs/billing/credits.js';
import { IMAGE_RESULT_BYTES, TEXT_RESULT_BYTES, type StorageQuota } from '#libs/billing/storage-quota.js';
import type { Prices } from '#libs/config/prices.js';
import { sizeClassOf } from '#libs/contract/define-tool.js';
import { EARLIER_IMAGE } from '#libs/contract/images.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { Transaction } from '#libs/database/sql.js';
import { activeTrace } from '#libs/observability/tracing.js';
import { BATCH_SHARE, type SubmissionLimits } from '#libs/scheduling/queue-limits.js';
import type { QueueState } from '#libs/scheduling/queue-positions.js';
import { contractOf, type ToolInput, type ToolName } from '#libs/tools/catalogue.js';
import { hashRequest } from './idempotency.js';
import type { JobPlace, PrepaidJob } from './job-place.js';
import type { JobsRequest } from './submit-jobs.js';
import type { LockedFile } from './submitted-files.js';

/** A request to run one tool. */
export interface Submission<N extends ToolName = ToolName> {
  userId: string;
  tool: N;
  /** Input as parsed by the tool's schema, without pasted control characters. */
  input: ToolInput<N>;
  /** Keys of the user's uploaded files, by input field. */
  files?: Record<string, string>;
  retryOf?: string;
  /** Key of the program that sent the request. */
  apiKeyId?: string;
  /** Within 24 hours, another request of the user with the same key returns the same job. */
  idempotencyKey?: string;
  /** The picture of a batch or step of a flow that the job is for. */
  place?: JobPlace;
  /** Id of the HTTP request, for the worker's logs. */
  requestId?: string;
  /** Runs in the transaction that stores the jobs. Not called for a repeated request. */
  also?: (transaction: Transaction, first: JobEntity) => Promise<void>;
}

export interface SubmissionTerms {
  limits: SubmissionLimits & { storageQuota: StorageQuota };
  prices: Prices;
  now: Date;
}

/** What the database knows of a submission's input. */
interface FoundInput {
  files: LockedFile[];
  picture?: { bytes: number };
  prepaid?: PrepaidJob;
}

export function toJobsRequest<N extends ToolName>(
  { tool: name, input, place, files = {}, ...submission }: Submission<N>,
  state: QueueState,
  { files: locked, picture, prepaid }: FoundInput,
  { limits, prices, now }: SubmissionTerms,
): JobsRequest {
  const { userId, retryOf, idempotencyKey, requestId, apiKeyId } = submission;
  const tool = contractOf(name);
  const bytes = locked.reduce((total, file) => total + file.bytes, picture?.bytes ?? 0);
  const names = { ...namesOf(locked), ...(picture && { image: EARLIER_IMAGE }) };
  const inputs = tool.copies?.(input) ?? [input];
  return {
    ...{ userId, tool: name, queue: tool.queue, files, retryOf, idempotencyKey, requestId, apiKeyId },
    batchId: place?.batch?.id,
    needsPremium: tool.plan === 'premium',
    jobs: inputs.map((own) => ({
      id: prepaid?.jobId ?? randomUUID(),
      title: tool.jobTitle(own, names),
      input: own,
      size: sizeClassOf(tool, own, bytes),
    })),
    groupId: inputs.length > 1 ? randomUUID() : undefined,
    requestHash: idempotencyKey === undefined ? undefined : hashRequest(name, input, locked),
    // The worker's trace continues the trace of this request.
    traceParent: activeTrace()?.traceParent,
    credits: prices.tools[name],
    monthlyCredits: prices.grants.free,
    month: monthOf(now),
    paid: prepaid,
    unfinishedAtMost: limits.unfinishedPerUser,
    storageAtMost: limits.storageQuota,
    batchItemsShare: place?.batch?.isLimited ? BATCH_SHARE : undefined,
    waitingAtMost: {
      free: limits.waitingAtMost.standard[tool.queue],
      premium: limits.waitingAtMost.premium[tool.queue],
    },
    newBytes: locked.reduce((total, { newBytes }) => total + newBytes, 0),
    resultBytes: tool.queue === 'image' ? IMAGE_RESULT_BYTES : TEXT_RESULT_BYTES,
    ...state,
  };
}

const namesOf = (files: LockedFile[]): Record<string, string> =>
  Object.fromEntries(files.map(({ field, name }) => [field, name]));
