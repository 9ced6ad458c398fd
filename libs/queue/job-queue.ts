import { setTimeout as pause } from 'node:timers/promises';
import { DelayedError, Queue, Worker, createPostgresBackend, withBackend } from 'bullmq';
import type { IQueueBackend, Job as QueueJob } from 'bullmq';
import pg from 'pg';
import type { QueueConfig } from '#libs/config/environment.js';
import { queueNames, type QueueName } from '#libs/contract/queues.js';
import { connectRedis } from '#libs/redis/connect-redis.js';
import { queuePriority, type Lane } from './priorities.js';

/** What waits in a queue: a name and a place. Everything else is read from the job's row when its turn comes. */
export interface QueueEntry {
  jobId: string;
  queue: QueueName;
  tool: string;
  /** Its place among the waiting: the lower lane first, in a lane the lower turn, among equals the one added first. */
  lane: Lane;
  turn: number;
  /** Milliseconds before a worker may take it. */
  delay?: number;
}

/** Says what becomes of an entry after a worker looked at it: done with, or to come back at a time (ms since 1970). */
export type Disposition = { done: true } | { done: false; at: number };

export interface QueueWorker {
  /** Takes no further entry; resolves when those at work have ended. */
  close(): Promise<void>;
}

export interface WorkerSettings {
  queue: QueueName;
  concurrency: number;
  /** How long a worker may hold an entry without renewing its lock; a dead worker's entry is handed out after that. */
  leaseSeconds: number;
  process: (jobId: string) => Promise<Disposition>;
  onError: (error: Error) => void;
}

/** The queues on one of their two backends. An entry is a hint: the job's row is the truth. */
export abstract class JobQueue {
  abstract readonly backend: 'postgres' | 'redis';
  /** Adds entries; one whose job is in the queue already is left as it is. Rejects fast when the queue is away. */
  abstract add(entries: QueueEntry[]): Promise<void>;
  /** Gives waiting entries the lanes and turns they have now, one after the other; those that are not there stay so. */
  abstract reorder(entries: QueueEntry[]): Promise<void>;
  /** Holds a queue, so that no worker takes an entry of it, or lets it go again. */
  abstract hold(queue: QueueName, held: boolean): Promise<void>;
  /** BullMQ's own queues, for a look at what they hold. Nothing is to be changed by them. */
  abstract inside(): Promise<Queue[]>;
  /** Takes a waiting entry out; one that a worker holds stays. */
  abstract remove(queue: QueueName, jobId: string): Promise<void>;
  /** Entries waiting, delayed or at work. */
  abstract count(queue: QueueName): Promise<number>;
  /** Rejects when the queue does not answer. */
  abstract ping(): Promise<void>;
  abstract work(settings: WorkerSettings): QueueWorker;
  abstract close(): Promise<void>;
}

const PREFIX = '{pressroom}';
/** How long a caller waits for a queue that does not answer, in milliseconds. */
const ANSWER_WITHIN = 2_000;
/** Milliseconds after which a worker asks a queue that was away again. */
const ASK_AGAIN_AFTER = 1_000;
const REORDERED_AT_ONCE = 250;
/** BullMQ's code for an id that it does not have. */
const NO_SUCH_ENTRY = -1;

export interface JobQueueOptions {
  config: QueueConfig;
  databaseUrl: string;
  onError: (error: Error) => void;
}

/** Opens the queues on Redis when one is configured, on PostgreSQL otherwise. */
export function createJobQueue({ config, databaseUrl, onError }: JobQueueOptions): JobQueue {
  if (config.kind === 'postgres') {
    const backend = withBackend(createPostgresBackend);
    // Three connections for commands, and one of its own for each worker's LISTEN.
    const connection = {
      connectionString: databaseUrl,
      max: 3,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: 'pressroom-queue',
      Client: HeardClient,
    };
    return new BullJobQueue({
      backend: 'postgres',
      openQueue: (name) => new backend.Queue(name, { connection, ...queueOptions }),
      openWorker: (name, process, options) => new backend.Worker(name, process, { connection, ...options }),
      onError,
    });
  }
  // A command waits for no reconnection: whoever adds a job has it in the table already and must not hang.
  const producer = connectRedis(config, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });
  const consumer = connectRedis(config, { maxRetriesPerRequest: null });
  for (const connection of [producer, consumer]) connection.on('error', onError);
  return new BullJobQueue({
    backend: 'redis',
    openQueue: (name) => new Queue(name, { connection: producer, ...queueOptions }),
    openWorker: (name, process, options) => new Worker(name, process, { connection: consumer, ...options }),
    onError,
    disconnect: () => {
      producer.disconnect();
      consumer.disconnect();
    },
  });
}

/**
 * A connection that BullMQ holds may break between two of its statements, and nobody there hears of it: unheard, the
 * error would end the process. The next statement fails with an error of its own.
 */
class HeardClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

// An entry that ended is removed: BullMQ silently ignores the id of one that it still keeps.
const queueOptions = { prefix: PREFIX, defaultJobOptions: { removeOnComplete: true, removeOnFail: true } };

type Processor = (entry: QueueJob, token?: string) => Promise<void>;

interface Backend {
  backend: JobQueue['backend'];
  openQueue(name: string): AnyQueue;
  openWorker(name: string, process: Processor, options: ReturnType<typeof workerOptions>): AnyWorker;
  onError: (error: Error) => void;
  disconnect?: () => void;
}

/** What we use of BullMQ's classes, whose types differ by backend. */
interface OnError {
  on(event: 'error', listener: (error: Error) => void): unknown;
}
type AnyQueue = Pick<
  Queue,
  'add' | 'addBulk' | 'remove' | 'getJobCounts' | 'isPaused' | 'pause' | 'resume' | 'waitUntilReady' | 'close'
> &
  OnError & { backend: Pick<IQueueBackend, 'changePriority'> };
type AnyWorker = Pick<Worker, 'run' | 'waitUntilReady' | 'close'> & OnError;

class BullJobQueue implements JobQueue {
  readonly backend: JobQueue['backend'];
  private readonly queues = new Map<QueueName, Promise<AnyQueue>>();

  constructor(private readonly bull: Backend) {
    this.backend = bull.backend;
    for (const name of queueNames) this.queue(name).catch(bull.onError);
  }

  async add(entries: QueueEntry[]): Promise<void> {
    const byQueue = Map.groupBy(entries, (entry) => entry.queue);
    await within(Promise.all([...byQueue].map(([name, group]) => this.addTo(name, group.map(toBullJob)))));
  }

  /** One entry is added by the shorter way: adding in bulk costs more. */
  private async addTo(name: QueueName, [first, ...others]: ReturnType<typeof toBullJob>[]): Promise<unknown> {
    const queue = await this.queue(name);
    if (first && others.length === 0) return queue.add(first.name, first.data, first.opts);
    return queue.addBulk(first ? [first, ...others] : []);
  }

  async reorder(entries: QueueEntry[]): Promise<void> {
    for (let i = 0; i < entries.length; i += REORDERED_AT_ONCE) {
      const some = entries.slice(i, i + REORDERED_AT_ONCE);
      await within(Promise.all(some.map((entry) => this.changePriority(entry))));
    }
  }

  private async changePriority(entry: QueueEntry): Promise<void> {
    const { backend } = await this.queue(entry.queue);
    try {
      await backend.changePriority(entry.jobId, queuePriority(entry));
    } catch (error) {
      if ((error as { code?: unknown }).code !== NO_SUCH_ENTRY) throw error;
    }
  }

  async hold(name: QueueName, held: boolean): Promise<void> {
    const set = async () => {
      const queue = await this.queue(name);
      if ((await queue.isPaused()) !== held) await (held ? queue.pause() : queue.resume());
    };
    await within(set());
  }

  async inside(): Promise<Queue[]> {
    return (await within(Promise.all(queueNames.map((name) => this.queue(name))))) as unknown as Queue[];
  }

  async remove(name: QueueName, jobId: string): Promise<void> {
    await within(this.queue(name).then((queue) => queue.remove(jobId)));
  }

  async count(name: QueueName): Promise<number> {
    const states = ['active', 'waiting', 'prioritized', 'delayed'] as const;
    const counts = await within(this.queue(name).then((queue) => queue.getJobCounts(...states)));
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  async ping(): Promise<void> {
    await this.count('text');
  }

  work({ queue, concurrency, leaseSeconds, process, onError }: WorkerSettings): QueueWorker {
    const look: Processor = async (entry, token) => {
      const disposition = await process(entry.id ?? '');
      if (disposition.done) return;
      await entry.moveToDelayed(disposition.at, token);
      throw new DelayedError();
    };
    const open = () => this.bull.openWorker(queue, look, workerOptions(concurrency, leaseSeconds));
    return new ReconnectingWorker(open, onError);
  }

  async close(): Promise<void> {
    const closings = [...this.queues.values()].map((opened) => within(opened.then((queue) => queue.close())));
    await Promise.allSettled(closings);
    this.bull.disconnect?.();
  }

  /** The queue once it is connected. BullMQ never tries again a first connection that failed, so we open it anew. */
  private queue(name: QueueName): Promise<AnyQueue> {
    const opened = this.queues.get(name) ?? this.open(name);
    this.queues.set(name, opened);
    opened.catch(() => this.queues.delete(name));
    return opened;
  }

  private async open(name: QueueName): Promise<AnyQueue> {
    const queue = this.bull.openQueue(name);
    queue.on('error', this.bull.onError);
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      await queue.close().catch(this.bull.onError);
      throw error;
    }
  }
}

/**
 * A worker that is replaced until one is connected: BullMQ remembers for good that a first connection to PostgreSQL
 * failed, and its loop then asks again and again without letting anything else in the process have a turn.
 */
class ReconnectingWorker implements QueueWorker {
  private worker: AnyWorker;
  private isClosing = false;

  constructor(
    private readonly open: () => AnyWorker,
    private readonly onError: (error: Error) => void,
  ) {
    this.worker = this.openOne();
    void this.keep();
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.worker.close();
  }

  private openOne(): AnyWorker {
    const worker = this.open();
    worker.on('error', this.onError);
    return worker;
  }

  /** Ends when the worker was closed. */
  private async keep(): Promise<void> {
    for (;;) {
      try {
        await this.worker.waitUntilReady();
        if (!this.isClosing) await this.worker.run();
        return;
      } catch (error) {
        if (this.isClosing) return;
        this.onError(error as Error);
        await this.worker.close().catch(this.onError);
        await pause(ASK_AGAIN_AFTER);
        if (this.isClosing) return;
        this.worker = this.openOne();
      }
    }
  }
}

const toBullJob = ({ jobId, tool, delay, ...place }: QueueEntry) => ({
  name: tool,
  data: {},
  opts: { jobId, priority: queuePriority(place), delay },
});

function workerOptions(concurrency: number, leaseSeconds: number) {
  return {
    prefix: PREFIX,
    autorun: false,
    concurrency,
    lockDuration: leaseSeconds * 1_000,
    stalledInterval: leaseSeconds * 500,
    // A queue that was away is asked again soon; the default leaves a worker deaf for 15 seconds.
    runRetryDelay: ASK_AGAIN_AFTER,
    // The row decides how often a job may be lost, so the queue hands it out again however often that was.
    maxStalledCount: 1_000_000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
}

async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The queue did not answer within ${ANSWER_WITHIN} ms.`)),
      ANSWER_WITHIN,
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
