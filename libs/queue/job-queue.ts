import type { JobType } from 'bullmq';
import type { QueueConfig } from '#libs/config/environment.js';
import { queueNames, type QueueName } from '#libs/contract/jobs.js';
import { gather } from '#libs/resilience/gather.js';
import { settleWithin } from '#libs/resilience/policies.js';
import { queueOptions, ReconnectingQueue } from './bullmq.js';
import { queuePriority, type Lane } from './priorities.js';

/** What waits in a queue: an id and an order. Everything else is read from the job's row when a worker takes it. */
export interface QueueEntry {
  jobId: string;
  queue: QueueName;
  tool: string;
  /** Its order: the lower lane first, in a lane the lower virtual start time, among equals the one added first. */
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
  /** Adds entries; one whose job is in the queue already is left as it is. Rejects within seconds when the queue is away. */
  abstract add(entries: QueueEntry[]): Promise<void>;
  /** Gives waiting entries the lanes and turns they have now; ids that are not in the queue are skipped. */
  abstract reorder(entries: QueueEntry[]): Promise<void>;
  /** Pauses a queue, so that no worker takes an entry of it, or resumes it. */
  abstract setPaused(queue: QueueName, paused: boolean): Promise<void>;
  /** Removes a waiting entry; one that a worker holds stays. */
  abstract remove(queue: QueueName, jobId: string): Promise<void>;
  /** The ids of entries that a worker cannot take: delayed ones, and those that a worker holds. */
  abstract readUnavailable(queue: QueueName): Promise<UnavailableEntries>;
  /** Makes an entry that is delayed, or that a worker holds, waiting again. One that is neither is left as it is. */
  abstract requeue(queue: QueueName, jobId: string): Promise<void>;
  /** Entries waiting, delayed or at work. */
  abstract count(queue: QueueName): Promise<number>;
  /** Rejects when the queue does not answer. */
  abstract ping(): Promise<void>;
  abstract close(): Promise<void>;
}

/** Milliseconds that a queue has to answer. */
const ANSWER_WITHIN = 2_000;
/** Entries that are added at once: one group after the other, since equals keep the order in which they were added. */
const ENTRIES_TOGETHER = { atMost: 100, groups: 1 };
/** Entries that are given another order at once. */
const REORDER_BATCH = 250;
/** BullMQ's codes for an id that it does not have, and for one that is in another state. */
const GONE: unknown[] = [-1, -3];
/** The most entries of a state that are read at once. */
const MAX_UNAVAILABLE = 1_000;
/** BullMQ asks for no lock with this token. */
const ANY_TOKEN = '0';

export interface JobQueueOptions {
  config: QueueConfig;
  databaseUrl: string;
  onError: (error: Error) => void;
}

/** Opens the queues outside of Nest, as the operator commands and tests do. */
export function createJobQueue({ config, databaseUrl, onError }: JobQueueOptions): JobQueue {
  const options = queueOptions(config, databaseUrl);
  return new BullJobQueue(
    queueNames.map((name) => new ReconnectingQueue(name, options)),
    onError,
  );
}

export class BullJobQueue extends JobQueue {
  private readonly queues: Map<string, ReconnectingQueue>;
  /** By queue: adds an entry with others of the same moment. */
  private readonly addTogether: Map<string, (entry: QueueEntry) => Promise<void>>;

  constructor(queues: ReconnectingQueue[], onError: (error: Error) => void) {
    super();
    this.queues = new Map(queues.map((queue) => [queue.name, queue]));
    for (const queue of queues) queue.on('error', onError);
    this.addTogether = new Map(
      queues.map(({ name }) => [
        name,
        gather(ENTRIES_TOGETHER, async (entries: QueueEntry[]) => {
          await answer(() => this.addTo(name, entries.map(toBullJob)));
          return entries.map(() => undefined);
        }),
      ]),
    );
  }

  async add(entries: QueueEntry[]): Promise<void> {
    await answer(() => Promise.all(entries.map((entry) => this.addTogether.get(entry.queue)!(entry))));
  }

  /** One entry is added by `add`: `addBulk` costs more. */
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
    await unlessGone(this.queue(entry.queue).backend.changePriority(entry.jobId, queuePriority(entry)));
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
    await answer(() => unlessGone(backend.promote(jobId)));
    await answer(() => unlessGone(backend.moveJobFromActiveToWait(jobId, ANY_TOKEN)));
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

/** Resolves also when the entry is not in the queue, or not in the state that the call is for. */
const unlessGone = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: { code?: unknown }) => {
    if (!GONE.includes(error.code)) throw error;
  });

const answer = <T>(call: () => Promise<T>): Promise<T> => settleWithin(ANSWER_WITHIN, call);

const toBullJob = ({ jobId, tool, delay, ...order }: QueueEntry) => ({
  name: tool,
  data: {},
  opts: { jobId, priority: queuePriority(order), delay },
});
