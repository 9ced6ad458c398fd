import { EventEmitter } from 'node:events';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#libs/config/clock.js';
import type { Plan } from '#libs/contract/account.js';
import type { ServerEvents } from '#libs/contract/events.js';
import { createDataSource } from '#libs/database/data-source.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { rows } from './sql.ts';
import type { LiveEvents, ProcessEvents } from '#libs/events/live-events.js';
import { BatchEvents } from '#libs/batches/batch-events.js';
import { defaultBatchSettings } from '#libs/batches/batch-rows.js';
import { LiveAccountEvents } from '#libs/billing/live-account-events.js';
import { reclaimStorage } from '#libs/creations/deleted-results.js';
import { FlowEvents } from '#libs/flows/flow-events.js';
import { FlowRuns } from '#libs/flows/flow-runs.js';
import { Flows } from '#libs/flows/flows.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { readCredits } from '#libs/billing/credits.js';
import { JobReader } from '#libs/jobs/job-reader.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { QueuePositions } from '#libs/scheduling/queue-positions.js';
import type { StorageQuota } from '#libs/billing/storage-quota.js';
import type { Submission } from '#libs/jobs/jobs-request.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { JobQueue, type UnavailableEntries, type QueueEntry } from '#libs/queue/job-queue.js';
import type { Priority } from '#libs/contract/jobs.js';
import { FileStore } from '#libs/storage/file-store.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { testDatabase } from './database.ts';
import { until } from './until.ts';

/** A queue in memory, which can be made unreachable. */
export class InMemoryQueue extends JobQueue {
  readonly entries = new Map<string, QueueEntry>();
  readonly paused = new Set<QueueEntry['queue']>();
  /** Entries of the text queue that are delayed, and those that a worker holds. */
  readonly unavailableEntries: UnavailableEntries = { delayed: [], active: [] };
  readonly requeued: string[] = [];
  isUnavailable = false;
  /** Called before an entry is added. */
  onAdd: (entries: QueueEntry[]) => Promise<void> = async () => undefined;

  async add(entries: QueueEntry[]): Promise<void> {
    this.refuseIfUnavailable();
    await this.onAdd(entries);
    for (const entry of entries) if (!this.entries.has(entry.jobId)) this.entries.set(entry.jobId, entry);
  }

  async reorder(entries: QueueEntry[]): Promise<void> {
    this.refuseIfUnavailable();
    for (const entry of entries) if (this.entries.has(entry.jobId)) this.entries.set(entry.jobId, entry);
  }

  async setPaused(queue: QueueEntry['queue'], paused: boolean): Promise<void> {
    this.refuseIfUnavailable();
    if (paused) this.paused.add(queue);
    else this.paused.delete(queue);
  }

  async remove(_queue: QueueEntry['queue'], jobId: string): Promise<void> {
    this.refuseIfUnavailable();
    this.entries.delete(jobId);
  }

  async readUnavailable(queue: QueueEntry['queue']): Promise<UnavailableEntries> {
    this.refuseIfUnavailable();
    return queue === 'text' ? this.unavailableEntries : { delayed: [], active: [] };
  }

  async requeue(_queue: QueueEntry['queue'], jobId: string): Promise<void> {
    this.refuseIfUnavailable();
    this.requeued.push(jobId);
  }

  async count(queue: QueueEntry['queue']): Promise<number> {
    this.refuseIfUnavailable();
    return [...this.entries.values()].filter((entry) => entry.queue === queue).length;
  }

  async memoryUsed(): Promise<number> {
    return 0;
  }

  async ping(): Promise<void> {
    this.refuseIfUnavailable();
  }

  async close(): Promise<void> {}

  private refuseIfUnavailable() {
    if (this.isUnavailable) throw new Error('The queue is unavailable.');
  }
}

export interface Published {
  userId: string;
  event: keyof ServerEvents;
  payload: unknown;
}

/** Live events within one process, all recorded. */
export class InMemoryEvents implements LiveEvents {
  readonly published: Published[] = [];
  private readonly listeners = new Map<keyof ProcessEvents, Set<(jobId: string) => void>>();
  private readonly toUsers = new EventEmitter();
  /** Drops all events, as if none reached another process. */
  dropsEvents = false;

  publishToUser<E extends keyof ServerEvents>(
    userId: string,
    event: E,
    ...[payload]: Parameters<ServerEvents[E]>
  ): void {
    this.published.push({ userId, event, payload });
    if (!this.dropsEvents) this.toUsers.emit(event, payload);
  }

  onPublishedToUser<E extends keyof ServerEvents>(
    event: E,
    listener: (...payload: Parameters<ServerEvents[E]>) => void,
  ): () => void {
    this.toUsers.on(event, listener);
    return () => this.toUsers.off(event, listener);
  }

  publish(event: keyof ProcessEvents, jobId: string): void {
    if (!this.dropsEvents) for (const listener of this.listeners.get(event) ?? []) listener(jobId);
  }

  subscribe(event: keyof ProcessEvents, listener: (jobId: string) => void): () => void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(listener));
    return () => this.listeners.get(event)?.delete(listener);
  }

  /** Payloads of one event, in order. */
  of<E extends keyof ServerEvents>(event: E): Parameters<ServerEvents[E]>[0][] {
    return this.published
      .filter((one) => one.event === event)
      .map((one) => one.payload as Parameters<ServerEvents[E]>[0]);
  }
}

/** Any tool's input, also one that its schema refuses. */
type NewJob = Partial<Omit<Submission, 'userId' | 'input'>> & { input?: object };

interface PlatformLimits {
  unfinishedPerUser?: number;
  storageQuota?: StorageQuota;
  /** For every queue. */
  waitingAtMost?: Partial<Record<Priority, number>>;
}

const MB = 1024 * 1024;

const byQueue = (number: number) => ({ text: number, image: number, pdf: number });

/** Everything of `libs/jobs` on a database of its own, with a queue and live events in memory. */
export async function openJobPlatform<Q extends JobQueue = InMemoryQueue>({
  unfinishedPerUser = 200,
  storageQuota = { free: 100 * MB, premium: 2_000 * MB },
  waitingAtMost = {},
  openQueue = () => new InMemoryQueue() as unknown as Q,
}: PlatformLimits & { openQueue?: (databaseUrl: string) => Q } = {}) {
  const database = await testDatabase();
  const dataSource = await createDataSource({ url: database.url, poolSize: 20 }).initialize();
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-jobs-'));
  const queue = openQueue(database.url);
  const live = new InMemoryEvents();
  const errors: Error[] = [];
  const onError = (error: Error) => void errors.push(error);
  const places = new QueuePositions(dataSource);
  const jobEvents = new JobEvents(dataSource, live, places, onError);
  const accountEvents = new LiveAccountEvents(dataSource, live, storageQuota, onError);
  const batchEvents = new BatchEvents(dataSource, live, jobEvents, defaultBatchSettings, onError);
  const flowEvents = new FlowEvents(dataSource, live, jobEvents, onError);
  const files = new StoredFiles(dataSource, new FileStore(folder));
  let fixed: number | null = null;
  const now = () => fixed ?? Date.now();
  const submission = new JobSubmission({
    ...{ dataSource, queue, jobEvents, accountEvents, positions: places, onError },
    limits: {
      storageQuota,
      unfinishedPerUser,
      waitingAtMost: {
        standard: byQueue(waitingAtMost.standard ?? 10_000),
        premium: byQueue(waitingAtMost.premium ?? 20_000),
      },
    },
    reclaimStorage: reclaimStorage,
    clock: { ...systemClock, now },
  });
  const lifecycle = new JobLifecycle({ dataSource, queue, live, jobEvents, accountEvents, onError });
  const runs = new FlowRuns({ dataSource, submission, lifecycle, flowEvents, accountEvents, onError });
  const closing: (() => void)[] = [];

  return {
    database,
    dataSource,
    queue,
    live,
    errors,
    onError,
    places,
    jobEvents,
    accountEvents,
    batchEvents,
    flowEvents,
    lifecycle,
    runs,
    flows: new Flows({ dataSource, lifecycle, runs, flowEvents, accountEvents }),
    files,
    storageQuota,
    submission,
    reader: new JobReader(dataSource, places),

    /** Stops the clock of the submission at this time; null starts it again. */
    setTime: (time: string | null) => void (fixed = time === null ? null : Date.parse(time)),

    async user(plan: Plan = 'free'): Promise<string> {
      const id = randomUUID();
      await rows(dataSource, `INSERT INTO users (id, name, plan) VALUES ($1, 'Ada', $2)`, [id, plan]);
      return id;
    },

    /** Resolves in a later millisecond: jobs of the same one have no order of their own. */
    async submit(userId: string, job: NewJob = {}): Promise<JobEntity> {
      const submitted = await submission.submit({
        userId,
        tool: 'generate-article',
        ...job,
        input: job.input ?? { prompt: 'Rivers', length: 800 },
      });
      const createdAt = submitted.createdAt.getTime();
      await until('the next millisecond', () => Date.now() > createdAt, { every: 1 });
      return submitted;
    },

    /** Slots of a worker of the text queue that is seen for longer than any test lasts. */
    openSlots: (slots: number) =>
      rows(
        dataSource,
        `INSERT INTO worker_slots (worker_id, queue, slots, seen_at) VALUES ('w', 'text', $1, now() + interval '1 hour')`,
        [slots],
      ),

    async job(id: string): Promise<JobEntity> {
      return dataSource.getRepository(JobEntity).findOneByOrFail({ id });
    },

    remaining: async (userId: string) => (await readCredits(dataSource, userId, 'free')).remaining,

    /** The ledger of a user: balances by month, and what their entries add up to. */
    ledger: (userId: string) =>
      rows<{ month: string; granted: number; balance: number; sum: number; kinds: string[] }>(
        dataSource,
        `SELECT to_char(b.month, 'YYYY-MM-DD') AS month, b.granted, b.balance,
           (SELECT sum(amount)::integer FROM credit_entries e WHERE e.user_id = b.user_id AND e.month = b.month) AS sum,
           (SELECT array_agg(kind ORDER BY id) FROM credit_entries e WHERE e.user_id = b.user_id AND e.month = b.month) AS kinds
         FROM credit_balances b WHERE user_id = $1 ORDER BY month`,
        [userId],
      ),

    creationsOf: (jobId: string) =>
      rows<{ content: string }>(dataSource, 'SELECT content FROM creations WHERE job_id = $1', [jobId]),

    sql: <Row>(text: string, parameters: unknown[] = []) => rows<Row>(dataSource, text, parameters),

    /** Called before the platform closes. */
    onClose: (close: () => void) => void closing.push(close),

    async close(): Promise<void> {
      for (const close of closing) close();
      await queue.close();
      await dataSource.destroy();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type JobPlatform<Q extends JobQueue = InMemoryQueue> = Awaited<ReturnType<typeof openJobPlatform<Q>>>;
