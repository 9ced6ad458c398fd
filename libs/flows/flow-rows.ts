import { z } from 'zod';
import type { ErrorCode } from '#libs/contract/errors.js';
import { isFlowName, type Flow, type FlowStep } from '#libs/contract/flows.js';
import { jobStatuses } from '#libs/contract/jobs.js';
import { queryRows, type Database } from '#libs/database/sql.js';
import { flows } from '#libs/tools/flows.js';

const stepRowSchema = z.object({
  n: z.number(),
  tool: z.string(),
  needs: z.number().nullable(),
  leftOut: z.boolean(),
  note: z.string().nullable(),
  credits: z.number(),
  /** The columns of the job are null until the step starts. */
  jobId: z.string().nullable(),
  status: z.enum(jobStatuses).nullable(),
  creationId: z.string().nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
});

const flowRowSchema = z.object({
  id: z.string(),
  user_id: z.string(),
  flow: z.string(),
  input: z.record(z.string(), z.unknown()),
  title: z.string(),
  created_at: z.date(),
  ended_at: z.date().nullable(),
  cancelled: z.boolean(),
  revision: z.coerce.number(),
  steps: z.array(stepRowSchema),
});
export type FlowRow = z.infer<typeof flowRowSchema>;

/** @param which SQL condition on `flows`, followed by ORDER BY and LIMIT */
export const readFlows = (database: Database, which: string, parameters: unknown[]): Promise<FlowRow[]> =>
  queryRows(
    database,
    flowRowSchema,
    `SELECT flows.id, flows.user_id, flows.flow, flows.input, flows.title, flows.created_at, flows.ended_at, flows.cancelled,
       flows.revision + known.revisions AS revision, known.steps
     FROM flows CROSS JOIN LATERAL (
       SELECT coalesce(sum(jobs.revision + 1), 0) AS revisions,
         jsonb_agg(jsonb_build_object('n', n, 'tool', step.tool, 'needs', needs, 'leftOut', left_out, 'note', note,
           'credits', CASE WHEN left_out THEN 0 WHEN started THEN coalesce(jobs.credits, 0) ELSE step.credits END,
           'jobId', jobs.id, 'status', jobs.status, 'creationId', creations.id,
           'errorCode', error_code, 'errorMessage', error_message) ORDER BY n) AS steps
       FROM flow_steps step LEFT JOIN jobs ON jobs.id = step.job_id
         LEFT JOIN creations ON creations.job_id = step.job_id AND creations.deleted_at IS NULL
       WHERE step.flow_id = flows.id) AS known
     WHERE ${which}`,
    parameters,
  );

export function toFlow(row: FlowRow): Flow {
  const steps = row.steps.map(toStep);
  return {
    id: row.id,
    flow: row.flow,
    title: row.title,
    status: statusOf(row, steps),
    steps,
    awaitsTitleFrom: awaitsTitleFrom(row, steps),
    credits: steps.reduce((total, { credits }) => total + credits, 0),
    revision: row.revision,
    createdAt: row.created_at.toISOString(),
  };
}

/** The number of the step out of whose results the user has to choose; null if no step waits for that. */
function awaitsTitleFrom({ flow, input }: FlowRow, steps: FlowStep[]): number | null {
  if (!isFlowName(flow)) return null;
  const waiting = steps.find(
    ({ tool, state, needs }) =>
      state === 'waiting' &&
      flows[flow].awaitsChoice?.(input, tool) === true &&
      steps.some(({ n, state: needed }) => n === needs && needed === 'succeeded'),
  );
  return waiting?.needs ?? null;
}

function toStep({ leftOut, status, errorCode, errorMessage, ...step }: FlowRow['steps'][number]): FlowStep {
  const state = leftOut ? 'left-out' : (status ?? 'waiting');
  const error =
    state === 'failed' && errorCode ? { code: errorCode as ErrorCode, message: errorMessage ?? '' } : null;
  return { ...step, state, error };
}

function statusOf({ ended_at: endedAt, cancelled }: FlowRow, steps: FlowStep[]): Flow['status'] {
  if (cancelled) return 'cancelled';
  if (endedAt) return 'ended';
  const isGoingOn = steps.some(
    ({ state, needs }) =>
      state === 'queued' ||
      state === 'running' ||
      (state === 'waiting' && (needs === null || steps.find(({ n }) => n === needs)?.state === 'succeeded')),
  );
  if (isGoingOn) return 'open';
  const hasStopped = steps.some(({ state }) => state === 'failed' || state === 'cancelled');
  return hasStopped ? 'stopped' : 'ended';
}
