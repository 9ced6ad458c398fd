import { TaskCancelledError } from 'cockatiel';
import type { JobType } from 'bullmq';
import type { QueueConfig } from '#libs/config/environment.js';
import { queueNames, type Lane, type QueueName } from '#libs/contract/jobs.js';
import { gather } from '#libs/resilience/gather.js';
import { settleWithin } from '#libs/resilience/policies.js';
import { isRedis, queueOptions, ReconnectingQueue } from './bullmq.js';
import { queuePriority } from './priorities.js';
import { readMemoryUsed } from './redis-memory.js';

/** An entry of a queue. Contains only the job's id and order; workers read the job itself from its row. */
export interface QueueEntry {
  jobId: string;
  queue: QueueName;
  tool: string;
  /** Entries are ordered by lane, then by virtual start time, then by the time of their addition. */
  lane: Lane;
  virtualStart: number;
  /** Milliseconds before a worker may take the entry. */
  delay?: number;
}

/** Ids of the jobs whose entries workers cannot take, because they are delayed, or a worker is processing them. */
export interface UnavailableEntries {
  delayed: string[];
  active: string[];
}

/** The queues, on PostgreSQL or Redis. Entries can be lost or outdated, so always check the job's row. */
export abstract class JobQueue {
  /** Adds entries. Skips jobs that are in the queue. Rejects within 2 seconds if the queue is unavailable. */
  abstract add(entries: QueueEntry[]): Promise<void>;
  /** Updates lane and virtual start time of waiting entries. Skips jobs that are not in the queue. */
  abstract reorder(entries: QueueEntry[]): Promise<void>;
  abstract setPaused(queue: QueueName, paused: boolean): Promise<void>;
  /** Removes an entry, unless a worker is processing it. */
  abstract remove(queue: QueueName, jobId: string): Promise<void>;
  abstract readUnavailable(queue: QueueName): Promise<UnavailableEntries>;
  /** Makes a delayed or active entry waiting, so that the next free worker takes it. Has no effect on other entries. */
  abstract requeue(queue: QueueName, jobId: string): Promise<void>;
  abstract count(queue: QueueName): Promise<number>;
  /** Rejects if the queue does not respond within 2 seconds. */
  abstract ping(): Promise<void>;
  /** The used part of the memory that Redis may use, from 0 to 1. 0 without a limit, and on PostgreSQL. */
  abstract memoryUsed(): Promise<number>;
  abstract close(): Promise<void>;
}

/** Timeout in milliseconds of each call. */
const ANSWER_WITHIN = 2_000;
/** Adds up to 100 entries in one call. Only one call at a time, to keep the order of entries with equal priority. */
const ADD_GROUPS = { atMost: 100, groups: 1 };
const REORDER_BATCH = 250;
/** BullMQ's error codes for an unknown id, and for an entry in another state than the call requires. */
const MISSING_CODES: unknown[] = [-1, -3];
const MAX_UNAVAILABLE = 1_000;
/** BullMQ does not check the lock if it gets this token. */
const ANY_TOKEN = '0';

export interface JobQueueOptions {
  config: QueueConfig;
  databaseUrl: string;
  onError: (error: Error) => void;
  /** Timeout in milliseconds of each call. Default: 2 seconds. */
  answerWithin?: number;
}

/** Creates the queues without Nest, for operator commands and tests. */
export function createJobQueue({ config, databaseUrl, onError, answerWithin }: JobQueueOptions): JobQueue {
  const options = queueOptions(config, databaseUrl);
  return new BullJobQueue(
    queueNames.map((name) => new ReconnectingQueue(name, options)),
    onError,
    answerWithin,
  );
}

export class BullJobQueue extends JobQueue {
  private readonly queues: Map<string, ReconnectingQueue>;
  /** The last error since the queue answered `ping`. */
  private connectionError: Error | null = null;
  /** For each queue, a function that adds an entry in one call with others that are added at the same time. */
  private readonly addGrouped: Map<string, (entry: QueueEntry) => Promise<void>>;

  constructor(
    queues: ReconnectingQueue[],
    onError: (error: Error) => void,
    private readonly answerWithin = ANSWER_WITHIN,
  ) {
    super();
    this.queues = new Map(queues.map((queue) => [queue.name, queue]));
    for (const queue of queues)
      queue.on('error', (error) => {
        this.connectionError = error;
        onError(error);
      });
    this.addGrouped = new Map(
      queues.map(({ name }) => [
        name,
        gather(ADD_GROUPS, async (entries: QueueEntry[]) => {
          await this.answer(() => this.addTo(name, entries.map(toBullJob)));
          return entries.map(() => undefined);
        }),
      ]),
    );
  }

  async add(entries: QueueEntry[]): Promise<void> {
    await this.answer(() => Promise.all(entries.map((entry) => this.addGrouped.get(entry.queue)!(entry))));
  }

  /** Uses `add` for a single entry, because it is cheaper than `addBulk`. */
  private async addTo(name: string, jobs: ReturnType<typeof toBullJob>[]): Promise<void> {
    const [first, ...others] = jobs;
    if (first && others.length === 0) await this.queue(name).add(first.name, first.data, first.opts);
    else await this.queue(name).addBulk(jobs);
  }

  async reorder(entries: QueueEntry[]): Promise<void> {
    for (let start = 0; start < entries.length; start += REORDER_BATCH) {
      const batch = entries.slice(start, start + REORDER_BATCH);
      await this.answer(() => Promise.all(batch.map((entry) => this.changePriority(entry))));
    }
  }

  private async changePriority(entry: QueueEntry): Promise<void> {
    await ignoreMissing(this.queue(entry.queue).backend.changePriority(entry.jobId, queuePriority(entry)));
  }

  async setPaused(name: QueueName, paused: boolean): Promise<void> {
    const queue = this.queue(name);
    await this.answer(async () => {
      if ((await queue.isPaused()) !== paused) await (paused ? queue.pause() : queue.resume());
    });
  }

  async remove(name: QueueName, jobId: string): Promise<void> {
    await this.answer(() => this.queue(name).remove(jobId));
  }

  async readUnavailable(name: QueueName): Promise<UnavailableEntries> {
    const queue = this.queue(name);
    const read = (state: JobType) => queue.getRanges([state], 0, MAX_UNAVAILABLE - 1, false);
    const [delayed, active] = await this.answer(() => Promise.all([read('delayed'), read('active')]));
    return { delayed, active };
  }

  async requeue(name: QueueName, jobId: string): Promise<void> {
    const { backend } = this.queue(name);
    await this.answer(() => ignoreMissing(backend.promote(jobId)));
    await this.answer(() => ignoreMissing(backend.moveJobFromActiveToWait(jobId, ANY_TOKEN)));
  }

  async count(name: QueueName): Promise<number> {
    const counts = await this.answer(() =>
      this.queue(name).getJobCounts('active', 'waiting', 'prioritized', 'delayed'),
    );
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  async ping(): Promise<void> {
    try {
      await this.count('text');
      this.connectionError = null;
    } catch (error) {
      // A call waits in vain for a connection that was refused.
      throw error instanceof TaskCancelledError ? (this.connectionError ?? error) : error;
    }
  }

  async memoryUsed(): Promise<number> {
    const { connection } = this.queue('text').opts;
    return isRedis(connection) ? this.answer(() => readMemoryUsed(connection)) : 0;
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }

  private answer<T>(call: () => Promise<T>): Promise<T> {
    return settleWithin(this.answerWithin, call);
  }

  private queue(name: string): ReconnectingQueue {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`There is no queue ${name}.`);
    return queue;
  }
}

/** Ignores the error if the entry is not in the queue, or is in another state than the call requires. */
const ignoreMissing = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: { code?: unknown }) => {
    if (!MISSING_CODES.includes(error.code)) throw error;
  });

const toBullJob = ({ jobId, tool, delay, ...order }: QueueEntry) => ({
  name: tool,
  data: {},
  opts: { jobId, priority: queuePriority(order), delay },
});
