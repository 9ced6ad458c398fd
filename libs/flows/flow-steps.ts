import { z } from 'zod';
import { AppError } from '#libs/contract/errors.js';
import { FlowEntity, FlowStepEntity } from '#libs/database/entities/flows.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { execute, queryColumns, queryEntities, queryRow, type Transaction } from '#libs/database/sql.js';
import { creditsRefunded } from '#libs/observability/metrics.js';
import { refundUnsubmittedJobs } from '#libs/billing/credits.js';
import { prepaidJobSchema, type JobPlace, type TakenPlace } from '#libs/jobs/job-place.js';

/** Changes to flows and their steps. Each change is one statement, so that a step is either started once or refunded. */

export const flowNotFound = () => new AppError('NOT_FOUND', 'There is no such flow.');

interface FlowStepId {
  flowId: string;
  n: number;
}

export const flowStepPlace = (step: FlowStepId): JobPlace => ({
  take: (transaction, userId) => takeFlowStep(transaction, userId, step),
  attach: (transaction, job) => setFlow(transaction, job, step.flowId),
});

/**
 * Place of the flow step whose job is being retried. Undefined if the job is not part of a flow. If the flow has ended,
 * the new job does not become part of it.
 */
export const retriedFlowStep = ({ id, flowId }: Pick<JobEntity, 'id' | 'flowId'>): JobPlace | undefined =>
  flowId === null
    ? undefined
    : {
        take: async () => ({ kind: 'repeat', repeats: id }),
        attach: async (transaction, job) => {
          const openFlow = await replaceFlowJob(transaction, id, job.id);
          if (openFlow !== null) await setFlow(transaction, job, openFlow);
        },
      };

async function setFlow(transaction: Transaction, job: JobEntity, flowId: string): Promise<void> {
  job.flowId = flowId;
  await transaction.update(JobEntity, { id: job.id }, { flowId });
}

/**
 * Reserves a step for the job that the transaction stores. The step was charged with its flow.
 * @throws AppError JOB_CANCELLED if the step was left out or the flow has ended
 */
async function takeFlowStep(
  transaction: Transaction,
  userId: string,
  { flowId, n }: FlowStepId,
): Promise<TakenPlace> {
  const prepaid = await queryRow(
    transaction,
    prepaidJobSchema,
    `UPDATE flow_steps SET started = true, note = NULL FROM flows
     WHERE flows.id = flow_id AND flow_id = $1 AND n = $2 AND user_id = $3 AND NOT started AND NOT left_out AND ended_at IS NULL
     RETURNING job_id AS "jobId", credits, price, to_char(charge_month, 'YYYY-MM-DD') AS "chargeMonth"`,
    [flowId, n, userId],
  );
  if (prepaid) return { kind: 'first', prepaid };
  const step = await transaction.findOneBy(FlowStepEntity, { flowId, n });
  const job = step && (await transaction.findOneBy(JobEntity, { id: step.jobId, userId }));
  if (job) return { kind: 'taken', job };
  throw new AppError('JOB_CANCELLED', 'This step was left out of its flow.');
}

/**
 * Replaces a step's job by the retry of that job, unless the flow has ended.
 * @returns id of the flow; null if the job is not part of a flow
 * @throws AppError JOB_NOT_RETRYABLE if another job already retries it
 */
async function replaceFlowJob(
  transaction: Transaction,
  retryOf: string,
  jobId: string,
): Promise<string | null> {
  const flow = await queryRow(
    transaction,
    z.object({ id: z.string() }),
    `SELECT flows.id FROM jobs JOIN flows ON flows.id = flow_id WHERE jobs.id = $1 AND ended_at IS NULL`,
    [retryOf],
  );
  if (!flow) return null;
  // The flow's revision is a sum over its jobs. Add the revision of the replaced job, so that the sum never decreases.
  const moved = await execute(
    transaction,
    `WITH moved AS (
       UPDATE flow_steps SET job_id = $2 WHERE flow_id = $3 AND job_id = $1 RETURNING flow_id)
     UPDATE flows SET revision = revision + 1 + (SELECT jobs.revision FROM jobs WHERE jobs.id = $1)
     FROM moved WHERE flows.id = moved.flow_id AND ended_at IS NULL`,
    [retryOf, jobId, flow.id],
  );
  if (moved > 0) return flow.id;
  throw new AppError('JOB_NOT_RETRYABLE', 'This step was tried again already.');
}

/** A charged step that did not start and was left out. */
export type LeftOutStep = Pick<FlowStepEntity, 'jobId' | 'tool' | 'credits'>;

/**
 * Leaves out and refunds steps that did not start.
 * @param which numbers of the steps; default: all
 */
export async function leaveOutSteps(
  transaction: Transaction,
  { id, userId, chargeMonth: month }: Pick<FlowEntity, 'id' | 'userId' | 'chargeMonth'>,
  note: string | null,
  which?: number[],
): Promise<LeftOutStep[]> {
  const leftOut = await queryColumns(
    transaction,
    FlowStepEntity,
    ['jobId', 'tool', 'credits'],
    `UPDATE flow_steps SET left_out = true, note = $3
     WHERE flow_id = $1 AND ($2::integer[] IS NULL OR n = ANY ($2)) AND NOT started AND NOT left_out
     RETURNING job_id, tool, credits`,
    [id, which ?? null, note],
  );
  if (leftOut.length > 0) await transaction.increment(FlowEntity, { id }, 'revision', 1);
  const given = leftOut.map(({ jobId, credits: amount }) => ({ jobId, amount }));
  await refundUnsubmittedJobs(transaction, { userId, month, note: note ?? 'The flow was cancelled.' }, given);
  return leftOut;
}

/** Counts refunds in the metrics. Callers must have committed. @returns true if anything was refunded */
export function countRefunds(leftOut: LeftOutStep[]): boolean {
  for (const { tool, credits } of leftOut) if (credits > 0) creditsRefunded.inc({ tool }, credits);
  return leftOut.some(({ credits }) => credits > 0);
}

/** Ends a flow: no more steps start, and its input is deleted. @returns false if the flow had already ended */
export const endFlow = async (
  transaction: Transaction,
  id: string,
  { cancelled }: { cancelled: boolean },
): Promise<boolean> =>
  (await execute(
    transaction,
    `UPDATE flows SET ended_at = now(), cancelled = $2, input = '{}', files = '{}', revision = revision + 1
     WHERE id = $1 AND ended_at IS NULL`,
    [id, cancelled],
  )) > 0;

/** Deletes the flows that contain these jobs, and refunds their steps that did not start. */
export async function deleteFlowsOf(transaction: Transaction, jobIds: string[]): Promise<void> {
  const found = await queryEntities(
    transaction,
    FlowEntity,
    `SELECT * FROM flows WHERE id IN (SELECT flow_id FROM flow_steps WHERE job_id = ANY ($1))`,
    [jobIds],
  );
  for (const flow of found) {
    await leaveOutSteps(transaction, flow, null);
    await transaction.delete(FlowEntity, { id: flow.id });
  }
}
