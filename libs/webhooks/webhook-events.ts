import { randomUUID } from 'node:crypto';
import { In, IsNull, type DataSource } from 'typeorm';
import { z } from 'zod';
import { defaultBatchSettings, isOpen, readBatches, toBatch } from '#libs/batches/batch-rows.js';
import type { WebhookEvent, WebhookEventType } from '#libs/contract/webhooks.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { WebhookDeliveryEntity, WebhookEntity } from '#libs/database/entities/webhooks.js';
import { queryRow, queryRows, type Transaction } from '#libs/database/sql.js';
import { readFlows, toFlow } from '#libs/flows/flow-rows.js';

const EVENTS_AT_ONCE = 500;
/** Key of the advisory lock. An arbitrary number that is not used elsewhere in this database. */
const LOCK = 770_156;

/** An event, and the user whose webhooks get it. */
interface UserEvent {
  userId: string;
  type: WebhookEventType;
  payload: WebhookEvent;
}

const changeSchema = z.object({
  kind: z.enum(['job', 'batch', 'flow', 'flow-step']),
  subject: z.string(),
  createdAt: z.date(),
});
/** A change that a trigger recorded. */
type RecordedChange = z.infer<typeof changeSchema>;

/** Turns the changes that triggers recorded into deliveries. */
export class WebhookEvents {
  constructor(private readonly dataSource: DataSource) {}

  /** Safe to call in several workers at once: one of them does the work. */
  async pass(): Promise<void> {
    while ((await this.createDeliveries()) === EVENTS_AT_ONCE);
  }

  /**
   * One snapshot shows the recorded changes and the state of batches and flows. So the last change that ends a batch is seen
   * with its end, and an earlier one, taken before, is not.
   */
  private createDeliveries(): Promise<number> {
    return this.dataSource.transaction('REPEATABLE READ', async (transaction) => {
      const lock = await queryRow(
        transaction,
        z.object({ held: z.boolean() }),
        `SELECT pg_try_advisory_xact_lock(${LOCK}) AS held`,
      );
      if (!lock?.held) return 0;
      const changes = await takeChanges(transaction);
      if (changes.length === 0) return 0;
      const events = [
        ...(await jobEvents(transaction, changes)),
        ...(await batchEvents(transaction, changes)),
        ...(await flowEvents(transaction, changes)),
      ];
      await addDeliveries(transaction, events);
      return changes.length;
    });
  }
}

/** Takes the oldest changes, and all other changes of the same subjects. */
const takeChanges = (transaction: Transaction): Promise<RecordedChange[]> =>
  queryRows(
    transaction,
    changeSchema,
    `WITH taken AS (
       DELETE FROM webhook_events WHERE (kind, subject) IN (
         SELECT kind, subject FROM webhook_events GROUP BY kind, subject ORDER BY min(id) LIMIT ${EVENTS_AT_ONCE})
       RETURNING kind, subject, created_at)
     SELECT kind, subject, max(created_at) AS "createdAt" FROM taken GROUP BY kind, subject ORDER BY max(created_at)`,
  );

const idsOf = (changes: RecordedChange[], ...kinds: RecordedChange['kind'][]) =>
  changes.filter(({ kind }) => kinds.includes(kind)).map(({ subject }) => subject);

const timeOf = (changes: RecordedChange[], id: string): string =>
  changes.findLast(({ subject }) => subject === id)!.createdAt.toISOString();

async function jobEvents(transaction: Transaction, changes: RecordedChange[]): Promise<UserEvent[]> {
  const jobs = await transaction.findBy(JobEntity, { id: In(idsOf(changes, 'job')) });
  return jobs.map((job) => ({ userId: job.userId, ...jobEvent(job, timeOf(changes, job.id)) }));
}

function jobEvent(job: JobEntity, timestamp: string): Omit<UserEvent, 'userId'> {
  const { id: jobId, tool, batchId, flowId, result } = job;
  const data = { jobId, tool, batchId, flowId };
  if (job.status === 'succeeded') {
    const creationId = typeof result?.['creationId'] === 'string' ? result['creationId'] : null;
    const type = 'job.succeeded';
    return { type, payload: { type, timestamp, data: { ...data, creationId } } };
  }
  const error = { code: job.errorCode ?? 'INTERNAL', message: job.errorMessage ?? '' };
  const type = 'job.failed';
  return { type, payload: { type, timestamp, data: { ...data, error } } };
}

async function batchEvents(transaction: Transaction, changes: RecordedChange[]): Promise<UserEvent[]> {
  const type = 'batch.finished';
  const rows = await readBatches(transaction, 'id = ANY ($1)', [idsOf(changes, 'batch')]);
  return rows.flatMap((row) => {
    const { id: batchId, tool, status, counts } = toBatch(row, defaultBatchSettings);
    if (isOpen(row) || status === 'open') return [];
    const timestamp = timeOf(changes, batchId);
    return {
      userId: row.user_id,
      type,
      payload: { type, timestamp, data: { batchId, tool, status, counts } },
    };
  });
}

async function flowEvents(transaction: Transaction, changes: RecordedChange[]): Promise<UserEvent[]> {
  const type = 'flow.finished';
  const ended = new Set(idsOf(changes, 'flow'));
  const rows = await readFlows(transaction, 'flows.id = ANY ($1)', [idsOf(changes, 'flow', 'flow-step')]);
  return rows.flatMap((row) => {
    const { id: flowId, flow, status, steps } = toFlow(row);
    // The end of the last step is followed by the end of the flow, which is recorded too.
    if (status === 'open' || (status !== 'stopped' && !ended.has(flowId))) return [];
    const timestamp = timeOf(changes, flowId);
    const data = {
      flowId,
      flow,
      status,
      steps: steps.map(({ n, tool, state, jobId, creationId }) => ({ n, tool, state, jobId, creationId })),
    };
    return { userId: row.user_id, type, payload: { type, timestamp, data } };
  });
}

async function addDeliveries(transaction: Transaction, events: UserEvent[]): Promise<void> {
  const userIds = [...new Set(events.map(({ userId }) => userId))];
  const webhooks = await transaction.find(WebhookEntity, {
    select: { id: true, userId: true, events: true },
    where: { userId: In(userIds), offReason: IsNull() },
  });
  const deliveries = events.flatMap(({ userId, type, payload }) =>
    webhooks
      .filter((webhook) => webhook.userId === userId && webhook.events.includes(type))
      .map(({ id }) => ({ id: randomUUID(), webhookId: id, type, payload: JSON.stringify(payload) })),
  );
  for (let start = 0; start < deliveries.length; start += EVENTS_AT_ONCE)
    await transaction.insert(WebhookDeliveryEntity, deliveries.slice(start, start + EVENTS_AT_ONCE));
}
