import { IsNull, type DataSource } from 'typeorm';
import { z } from 'zod';
import { FLOW_OPEN_DAYS, FLOW_WITH_FILES_OPEN_MINUTES } from '#libs/contract/flows.js';
import { AppError, type ErrorCode } from '#libs/contract/errors.js';
import { jobStatuses } from '#libs/contract/jobs.js';
import { withoutPastedControls } from '#libs/contract/text.js';
import { FlowEntity } from '#libs/database/entities/flows.js';
import { execute, queryEntities, queryRows, type Database } from '#libs/database/sql.js';
import { markFilesForDeletion } from '#libs/storage/stored-files.js';
import { isToolName, tools, type ToolInput, type ToolName } from '#libs/tools/catalogue.js';
import { flows } from '#libs/tools/flows.js';
import {
  countRefunds,
  endFlow,
  flowStepPlace,
  leaveOutSteps,
  retriedFlowStep,
  type LeftOutStep,
} from './flow-steps.js';
import type { AccountEvents } from '#libs/accounts/account-events.js';
import { lockUserIfPresent } from '#libs/accounts/lock-user.js';
import type { JobLifecycle } from '#libs/jobs/lifecycle.js';
import type { FlowEvents } from './flow-events.js';
import type { JobSubmission } from '#libs/jobs/submission.js';

export interface FlowRunsDeps {
  dataSource: DataSource;
  submission: Pick<JobSubmission, 'submitAll' | 'onRetry'>;
  lifecycle: Pick<JobLifecycle, 'onSuccess'>;
  flowEvents: Pick<FlowEvents, 'flowChanged'>;
  accountEvents: Pick<AccountEvents, 'accountChanged'>;
  onError: (error: Error) => void;
}

/** After these errors a step keeps waiting, and the next pass tries to start it again. */
const waitsAfter: readonly ErrorCode[] = [
  'RATE_LIMITED',
  'QUEUE_FULL',
  'STORAGE_FULL',
  'DISK_FULL',
  'UNAVAILABLE',
];

const SOURCE_LEFT_OUT = 'The step that it needs was left out.';
const SOURCE_DELETED = 'You deleted what it was to be made from.';
const TOO_LATE = 'The flow waited too long for the step before it.';

/**
 * Starts the steps of flows. The worker that ends a step calls {@link advance} after its commit. The maintenance of
 * every worker also runs {@link pass}, in case the worker was killed before that call. The transaction that creates a
 * step's job also marks the step as started, so that concurrent calls start it only once.
 */
export class FlowRuns {
  constructor(private readonly deps: FlowRunsDeps) {
    deps.submission.onRetry(retriedFlowStep);
    deps.lifecycle.onSuccess(async ({ flowId }) => {
      if (flowId !== null) await this.advance(flowId);
    });
  }

  /** Starts each step of a flow that is ready. Never throws. */
  async advance(flowId: string): Promise<void> {
    try {
      const { dataSource } = this.deps;
      const flow = await dataSource.getRepository(FlowEntity).findOneBy({ id: flowId, endedAt: IsNull() });
      if (!flow) return;
      const steps = await readSteps(dataSource, flowId);
      for (const step of steps)
        if (canStart(step, steps) && !flows[flow.flow].awaitsChoice?.(flow.input, step.tool))
          await this.start(flow, step, steps);
      await this.endWhereDone(flow);
    } catch (error) {
      this.deps.onError(error as Error);
    }
  }

  /** Advances each flow that has a step ready to start or has no steps left. */
  async pass(): Promise<void> {
    const found = await queryRows(this.deps.dataSource, z.object({ id: z.string() }), TO_ADVANCE);
    for (const { id } of found) await this.advance(id);
  }

  private async start(flow: FlowEntity, step: StepRow, steps: StepRow[]): Promise<void> {
    const { userId, files } = flow;
    const { n, tool } = step;
    const input = inputOf(flow, step, steps);
    if (typeof input === 'string' || !isToolName(tool))
      return this.leaveOut(flow, step, steps, input as string);
    const fields = Object.keys(tools[tool].files ?? {}).filter((field) => field in files);
    const own = Object.fromEntries(fields.map((field) => [field, files[field]!]));
    try {
      await this.deps.submission.submitAll({
        userId,
        tool,
        input,
        files: own,
        place: flowStepPlace({ flowId: flow.id, n }),
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (!waitsAfter.includes(error.code)) return this.leaveOut(flow, step, steps, error.message);
      await this.note(flow.id, n, error.message);
    }
  }

  private async leaveOut(flow: FlowEntity, step: StepRow, steps: StepRow[], note: string): Promise<void> {
    const others = withDependents(steps, [step.n]).filter((n) => n !== step.n);
    const leftOut = await this.deps.dataSource.transaction(async (transaction) => [
      ...(await leaveOutSteps(transaction, flow, note, [step.n])),
      ...(await leaveOutSteps(transaction, flow, SOURCE_LEFT_OUT, others)),
    ]);
    this.publish(flow, leftOut);
  }

  private async note(flowId: string, n: number, note: string): Promise<void> {
    const changed = await execute(
      this.deps.dataSource,
      `WITH noted AS (
         UPDATE flow_steps SET note = $3 WHERE flow_id = $1 AND n = $2 AND NOT started AND note IS DISTINCT FROM $3
         RETURNING flow_id)
       UPDATE flows SET revision = revision + 1 FROM noted WHERE flows.id = noted.flow_id`,
      [flowId, n, note],
    );
    if (changed > 0) void this.deps.flowEvents.flowChanged(flowId);
  }

  /** Ends a flow if each of its steps has succeeded or was left out, and releases its files. */
  private async endWhereDone(flow: FlowEntity): Promise<void> {
    const isEnded = await this.deps.dataSource.transaction(async (transaction) => {
      const [done] = await queryRows(
        transaction,
        z.object({ id: z.string() }),
        `${IS_DONE} AND flows.id = $1`,
        [flow.id],
      );
      if (!done || !(await endFlow(transaction, flow.id, { cancelled: false }))) return false;
      await markFilesForDeletion(transaction, Object.values(flow.files));
      return true;
    });
    if (isEnded) void this.deps.flowEvents.flowChanged(flow.id);
  }

  /** Ends flows with a step that failed or was cancelled long ago, and refunds their waiting steps. */
  async closeIdle(retentionDays: number): Promise<void> {
    const { dataSource } = this.deps;
    const days = Math.min(retentionDays, FLOW_OPEN_DAYS);
    for (const flow of await queryEntities(dataSource, FlowEntity, IS_IDLE, [days])) {
      const leftOut = await dataSource.transaction(async (transaction) => {
        // Locks the user's row, as a retry does. The user is missing if the account, and with it the flow, was just
        // deleted.
        await lockUserIfPresent(transaction, flow.userId);
        const [idle] = await queryEntities(transaction, FlowEntity, `${IS_IDLE} AND id = $2`, [
          days,
          flow.id,
        ]);
        if (!idle) return undefined;
        await endFlow(transaction, flow.id, { cancelled: false });
        return leaveOutSteps(transaction, flow, TOO_LATE);
      });
      if (leftOut) this.publish(flow, leftOut);
    }
  }

  private publish({ id, userId }: FlowEntity, leftOut: LeftOutStep[]): void {
    const { flowEvents, accountEvents } = this.deps;
    void flowEvents.flowChanged(id);
    if (countRefunds(leftOut)) void accountEvents.accountChanged(userId);
  }
}

const stepRowSchema = z.object({
  n: z.number(),
  tool: z.string(),
  needs: z.number().nullable(),
  waits: z.boolean(),
  status: z.enum(jobStatuses).nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  isDeleted: z.boolean(),
});
type StepRow = z.infer<typeof stepRowSchema>;

const readSteps = (database: Database, flowId: string): Promise<StepRow[]> =>
  queryRows(
    database,
    stepRowSchema,
    `SELECT n, step.tool, needs, NOT started AND NOT left_out AS waits, status, result,
       result_deleted_at IS NOT NULL AS "isDeleted"
     FROM flow_steps step LEFT JOIN jobs ON jobs.id = step.job_id AND started WHERE step.flow_id = $1 ORDER BY n`,
    [flowId],
  );

const canStart = ({ waits, needs }: StepRow, steps: StepRow[]): boolean =>
  waits && (needs === null || steps.find(({ n }) => n === needs)?.status === 'succeeded');

/** Numbers of the given steps and all steps that depend on them. */
function withDependents(steps: StepRow[], numbers: number[]): number[] {
  const all = new Set(numbers);
  for (const { n, needs } of steps) if (needs !== null && all.has(needs)) all.add(n);
  return [...all];
}

/** Input of a step, or a message that says why the step cannot start. */
function inputOf(flow: FlowEntity, { tool, needs }: StepRow, steps: StepRow[]): ToolInput<ToolName> | string {
  if (steps.some(({ n, isDeleted }) => n === needs && isDeleted)) return SOURCE_DELETED;
  const results = Object.fromEntries(steps.map((step) => [step.tool, resultOf(step)]));
  const made = flows[flow.flow].inputs[tool]?.(flow.input, results);
  if (made === undefined) return 'This step is not known here any more.';
  if ('leftOut' in made) return String(made.leftOut);
  const input = tools[tool as ToolName].input.safeParse(withoutPastedControls(made));
  return input.success ? input.data : (input.error.issues[0]?.message ?? 'Its input is not valid.');
}

/** Validates the stored result, since another version of the program may have stored it. */
function resultOf({ tool, status, result }: StepRow): unknown {
  return status === 'succeeded' && isToolName(tool) ? tools[tool].output.safeParse(result).data : undefined;
}

/** SQL: flows whose steps have all succeeded or were left out. */
const IS_DONE = `
  SELECT flows.id FROM flows WHERE ended_at IS NULL AND NOT EXISTS (
    SELECT FROM flow_steps LEFT JOIN jobs ON jobs.id = job_id
    WHERE flow_steps.flow_id = flows.id AND NOT left_out AND status IS DISTINCT FROM 'succeeded')`;

const TO_ADVANCE = `
  SELECT DISTINCT flows.id FROM flows JOIN flow_steps step ON step.flow_id = flows.id
    LEFT JOIN flow_steps needed ON needed.flow_id = flows.id AND needed.n = step.needs
    LEFT JOIN jobs ON jobs.id = needed.job_id
  WHERE ended_at IS NULL AND NOT step.started AND NOT step.left_out
    AND (step.needs IS NULL OR jobs.status = 'succeeded')
  UNION ${IS_DONE}`;

/** SQL: flows idle for $1 days. Flows that hold a file use a limit in minutes instead. */
const IS_IDLE = `
  SELECT * FROM flows, LATERAL (
    SELECT now() - CASE files WHEN '{}' THEN make_interval(days => $1)
      ELSE interval '${FLOW_WITH_FILES_OPEN_MINUTES} minutes' END AS since) AS limits
  WHERE ended_at IS NULL AND created_at < since AND NOT EXISTS (
    SELECT FROM flow_steps JOIN jobs ON jobs.id = job_id
    WHERE flow_steps.flow_id = flows.id AND (status IN ('queued', 'running') OR finished_at > since))`;

/** Deletes flows that ended more than `days` ago. Their creations stay. */
export const deleteOldFlows = (database: Database, days: number): Promise<number> =>
  execute(
    database,
    `DELETE FROM flows WHERE ended_at IS NOT NULL AND created_at < now() - make_interval(days => $1)`,
    [days],
  );
