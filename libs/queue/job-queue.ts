import type { JobType } from 'bullmq';
import type { QueueConfig } from '#libs/config/environment.js';
import { queueNames, type Lane, type QueueName } from '#libs/contract/jobs.js';
import { gather } from '#libs/resilience/gather.js';
import { settleWithin } from '#libs/resilience/policies.js';
import { queueOptions, ReconnectingQueue } from './bullmq.js';
import { queuePriority } from './priorities.js';

/** An entry of a queue: an id and its order. A worker reads everything else from the job's row. */
export interface QueueEntry {
  jobId: string;
  queue: QueueName;
  tool: string;
  /** The order: by lane, then by virtual start time, then by addition. */
  lane: Lane;
  virtualStart: number;
  /** Milliseconds before a worker may take it. */
  delay?: number;
}

export interface UnavailableEntries {
  delayed: string[];
  active: string[];
}

/** The queues, on PostgreSQL or Redis. An entry is a hint: the job's row is the truth. */
export abstract class JobQueue {
  /** Adds entries, except for jobs in the queue. Rejects within seconds when the queue is unavailable. */
  abstract add(entries: QueueEntry[]): Promise<void>;
  /** Updates lane and virtual start time of waiting entries. Ids that are not in the queue are skipped. */
  abstract reorder(entries: QueueEntry[]): Promise<void>;
  abstract setPaused(queue: QueueName, paused: boolean): Promise<void>;
  /** Removes an entry unless a worker holds it. */
  abstract remove(queue: QueueName, jobId: string): Promise<void>;
  /** The ids of entries that workers cannot take, because they are delayed or held by a worker. */
  abstract readUnavailable(queue: QueueName): Promise<UnavailableEntries>;
  /** Makes an entry waiting that is delayed or held by a worker. Others do not change. */
  abstract requeue(queue: QueueName, jobId: string): Promise<void>;
  abstract count(queue: QueueName): Promise<number>;
  /** Rejects when the queue does not answer. */
  abstract ping(): Promise<void>;
  abstract close(): Promise<void>;
}

const ANSWER_WITHIN = 2_000;
/** Entries that are added at once. One group after the other, to keep the order of entries with equal priority. */
const ADD_GROUPS = { atMost: 100, groups: 1 };
const REORDER_BATCH = 250;
/** BullMQ's codes for an unknown id, and for an entry in another state. */
const MISSING_CODES: unknown[] = [-1, -3];
const MAX_UNAVAILABLE = 1_000;
/** With this token, BullMQ does not check the lock. */
const ANY_TOKEN = '0';

export interface JobQueueOptions {
  config: QueueConfig;
  databaseUrl: string;
  onError: (error: Error) => void;
}

/** Opens the queues outside of Nest, for operator commands and tests. */
export function createJobQueue({ config, databaseUrl, onError }: JobQueueOptions): JobQueue {
  const options = queueOptions(config, databaseUrl);
  return new BullJobQueue(
    queueNames.map((name) => new ReconnectingQueue(name, options)),
    onError,
  );
}

export class BullJobQueue extends JobQueue {
  private readonly queues: Map<string, ReconnectingQueue>;
  /** Adds an entry together with concurrent ones, by queue. */
  private readonly addGrouped: Map<string, (entry: QueueEntry) => Promise<void>>;

  constructor(queues: ReconnectingQueue[], onError: (error: Error) => void) {
    super();
    this.queues = new Map(queues.map((queue) => [queue.name, queue]));
    for (const queue of queues) queue.on('error', onError);
    this.addGrouped = new Map(
      queues.map(({ name }) => [
        name,
        gather(ADD_GROUPS, async (entries: QueueEntry[]) => {
          await answer(() => this.addTo(name, entries.map(toBullJob)));
          return entries.map(() => undefined);
        }),
      ]),
    );
  }

  async add(entries: QueueEntry[]): Promise<void> {
    await answer(() => Promise.all(entries.map((entry) => this.addGrouped.get(entry.queue)!(entry))));
  }

  /** A single entry is added by `add`, which is cheaper than `addBulk`. */
  private async addTo(name: string, jobs: ReturnType<typeof toBullJob>[]): Promise<void> {
    const [first, ...others] = jobs;
    if (first && others.length === 0) await this.queue(name).add(first.name, first.data, first.opts);
    else await this.queue(name).addBulk(jobs);
  }

  async reorder(entries: QueueEntry[]): Promise<void> {
    for (let start = 0; start < entries.length; start += REORDER_BATCH) {
      const batch = entries.slice(start, start + REORDER_BATCH);
      await answer(() => Promise.all(batch.map((entry) => this.changePriority(entry))));
    }
  }

  private async changePriority(entry: QueueEntry): Promise<void> {
    await ignoreMissing(this.queue(entry.queue).backend.changePriority(entry.jobId, queuePriority(entry)));
  }

  async setPaused(name: QueueName, paused: boolean): Promise<void> {
    const queue = this.queue(name);
    await answer(async () => {
      if ((await queue.isPaused()) !== paused) await (paused ? queue.pause() : queue.resume());
    });
  }

  async remove(name: QueueName, jobId: string): Promise<void> {
    await answer(() => this.queue(name).remove(jobId));
  }

  async readUnavailable(name: QueueName): Promise<UnavailableEntries> {
    const queue = this.queue(name);
    const read = (state: JobType) => queue.getRanges([state], 0, MAX_UNAVAILABLE - 1, false);
    const [delayed, active] = await answer(() => Promise.all([read('delayed'), read('active')]));
    return { delayed, active };
  }

  async requeue(name: QueueName, jobId: string): Promise<void> {
    const { backend } = this.queue(name);
    await answer(() => ignoreMissing(backend.promote(jobId)));
    await answer(() => ignoreMissing(backend.moveJobFromActiveToWait(jobId, ANY_TOKEN)));
  }

  async count(name: QueueName): Promise<number> {
    const counts = await answer(() =>
      this.queue(name).getJobCounts('active', 'waiting', 'prioritized', 'delayed'),
    );
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  async ping(): Promise<void> {
    await this.count('text');
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }

  private queue(name: string): ReconnectingQueue {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`There is no queue ${name}.`);
    return queue;
  }
}

/** Resolves even if the entry is not in the queue, or in another state than the call needs. */
const ignoreMissing = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: { code?: unknown }) => {
    if (!MISSING_CODES.includes(error.code)) throw error;
  });

const answer = <T>(call: () => Promise<T>): Promise<T> => settleWithin(ANSWER_WITHIN, call);

const toBullJob = ({ jobId, tool, delay, ...order }: QueueEntry) => ({
  name: tool,
  data: {},
  opts: { jobId, priority: queuePriority(order), delay },
});
