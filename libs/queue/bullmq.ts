import {
  createPostgresBackend,
  createRedisBackend,
  Queue,
  Worker,
  type BackendFactory,
  type IQueueBackend,
  type JobProgress,
  type PostgresConnectionOptions,
  type Processor,
  type QueueBase,
  type QueueBaseOptions,
  type QueueOptions,
  type WorkerOptions,
} from 'bullmq';
import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import { Cluster, Redis } from 'ioredis';
import type pg from 'pg';
import type { QueueConfig } from '#libs/config/environment.js';
import { ClientWithErrorListener } from '#libs/database/client-with-error-listener.js';
import { closeIfUnanswered } from '#libs/database/pool-options.js';
import { connectRedis } from '#libs/redis/connect-redis.js';
import { settleWithin, waitForClose } from '#libs/resilience/policies.js';

const RETRY_EVERY = 1_000;

/**
 * Prefix of a queue's keys. A Redis Cluster keeps all keys with one tag in one slot. These tags are in slots 13430, 3753 and
 * 5516, so that each queue is on another of three nodes.
 */
export const prefixOf = (queue: string) => `{pressroom-${queue}}`;

type Connection = Redis | Cluster | pg.PoolConfig;

/** Creates the options for every queue of a process. On Redis, also opens the connection that the queues share. */
export function queueOptions(config: QueueConfig, databaseUrl: string) {
  return {
    connection: config.kind === 'postgres' ? postgresConnection(databaseUrl) : redisConnection(config),
    // Does not keep ended entries, because BullMQ would ignore a new entry with the same id.
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  };
}

/** `max` is the number of connections for commands. Each worker opens another connection to listen. */
const postgresConnection = (connectionString: string): pg.PoolConfig => ({
  connectionString,
  max: 3,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  application_name: 'pressroom-queue',
  Client: QueueClient,
  onConnect: closeIfUnanswered,
});

/** BullMQ names its schema in a startup parameter, which PgBouncer refuses. This client sets it after connecting. */
class QueueClient extends ClientWithErrorListener {
  private readonly searchPath: string | undefined;

  constructor({ options, ...config }: pg.ClientConfig = {}) {
    super(config);
    this.searchPath = /^-c search_path=(.+)$/.exec(options ?? '')?.[1];
  }

  // The overloads of `connect` cannot be repeated here.
  override connect = ((callback?: (error?: Error) => void) => {
    const connected = this.connectAndSet();
    if (!callback) return connected;
    connected.then(() => callback(), callback);
  }) as pg.Client['connect'];

  private async connectAndSet(): Promise<this> {
    await super.connect();
    try {
      if (this.searchPath) await this.query(`SET search_path = ${this.searchPath}`);
    } catch (error) {
      await this.end();
      throw error;
    }
    return this;
  }
}

/**
 * Commands fail at once without a connection, so requests do not hang. No job is lost, because it is stored in its table.
 */
const redisConnection = (config: Exclude<QueueConfig, { kind: 'postgres' }>): Redis | Cluster =>
  connectRedis(config, { enableOfflineQueue: false, maxRetriesPerRequest: 1 });

export interface WorkerSettings {
  concurrency: number;
  /** Seconds after which another worker gets an entry if its lock has not been renewed. */
  leaseSeconds: number;
  /** Maximum seconds to wait for running entries on close. If the datastore is unavailable, they may never end. */
  closeSeconds: number;
}

export const workerOptions = ({ concurrency, leaseSeconds, closeSeconds }: WorkerSettings) => ({
  concurrency,
  closeSeconds,
  lockDuration: leaseSeconds * 1_000,
  stalledInterval: leaseSeconds * 500,
  runRetryDelay: RETRY_EVERY,
  // No limit here, because the number of lost attempts is limited in the job's row.
  maxStalledCount: 1_000_000,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
});

const createBackend: BackendFactory<IQueueBackend, Connection> = (name, options, use) =>
  isRedis(options.connection)
    ? createRedisBackend(name, options, use)
    : withErrorListener(
        createPostgresBackend(name, options as QueueBaseOptions<PostgresConnectionOptions>, use),
      );

/** Replaces the class of the listening connection, because BullMQ closes it without an error listener. */
function withErrorListener(backend: IQueueBackend): IQueueBackend {
  const { connection } = backend as unknown as { connection: { pgModule: object } };
  connection.pgModule = { ...connection.pgModule, Client: QueueClient };
  return backend;
}

export const isRedis = (connection: Connection): connection is Redis | Cluster =>
  connection instanceof Redis || connection instanceof Cluster;

function disconnect(connection: Connection): void {
  if (isRedis(connection)) connection.disconnect();
}

/** A BullMQ queue on PostgreSQL or Redis that retries its first connection until it succeeds. */
export class ReconnectingQueue extends Queue<
  object,
  void,
  string,
  object,
  void,
  string,
  IQueueBackend,
  Connection
> {
  // `declare`, because the base constructor sets this field by waitUntilReady(), and an initialiser would reset it.
  declare private ready?: Promise<void>;

  constructor(name: string, options: QueueOptions<Connection>) {
    super(name, { ...options, prefix: options.prefix ?? prefixOf(name) }, createBackend);
  }

  override waitUntilReady(): Promise<void> {
    return (this.ready ??= connect(this, () => this.createBackend()));
  }

  /** Also closes the shared connection, so close all queues of a process together. */
  override async close(): Promise<void> {
    await waitForClose(
      () => super.close(),
      (error) => this.emit('error', error),
    );
    disconnect(this.opts.connection);
  }
}

/** A BullMQ worker that retries its first connection until it succeeds. */
export class ReconnectingWorker extends Worker<object, void, string, IQueueBackend, JobProgress, Connection> {
  declare private ready?: Promise<void>;
  private readonly closeMilliseconds: number;
  private closedInTime?: Promise<void>;

  constructor(
    name: string,
    processor: Processor<object, void>,
    { closeSeconds, ...options }: WorkerOptions<Connection> & Pick<WorkerSettings, 'closeSeconds'>,
  ) {
    const connection = waitingConnection(options.connection);
    super(name, processor, { ...options, prefix: prefixOf(name), connection }, createBackend);
    this.closeMilliseconds = closeSeconds * 1_000;
  }

  override waitUntilReady(): Promise<void> {
    return (this.ready ??= connect(this, () => this.createBackend()));
  }

  override async run(): Promise<void> {
    await this.waitUntilReady();
    await super.run();
  }

  /** Stops taking entries. Resolves when the running entries have ended, or after `closeSeconds`. */
  override close(force?: boolean): Promise<void> {
    return (this.closedInTime ??= this.closeInTime(force));
  }

  private async closeInTime(force?: boolean): Promise<void> {
    // After the time limit the connection stays open, so that outcomes of running entries can still be stored.
    const closed = super.close(force).then(() => disconnect(this.opts.connection));
    await settleWithin(this.closeMilliseconds, () => closed).catch((error: Error) =>
      this.emit('error', error),
    );
  }
}

/** Duplicates a connection. Its commands wait for a reconnection, so that no outcome of an entry is lost. */
function waitingConnection(connection: Connection): Connection {
  const options = { enableOfflineQueue: true, maxRetriesPerRequest: null };
  if (connection instanceof Redis) return connection.duplicate(options);
  if (connection instanceof Cluster)
    return connection.duplicate([], { redisOptions: { ...connection.options.redisOptions, ...options } });
  return connection;
}

/**
 * Waits for the first connection of a queue or worker, with retries. BullMQ itself never retries the first connection, and
 * its worker then loops without yielding to the event loop.
 */
function connect(
  owner: Pick<QueueBase<IQueueBackend, Connection>, 'backend' | 'closing'> & {
    emit(event: 'error', error: Error): boolean;
  },
  replaceBackend: () => void,
): Promise<void> {
  return retry(
    handleWhen(() => !owner.closing),
    { maxAttempts: Infinity, backoff: new ConstantBackoff(RETRY_EVERY) },
  ).execute(async () => {
    const { backend } = owner;
    try {
      await backend.waitUntilReady();
    } catch (error) {
      if (!owner.closing) {
        owner.emit('error', error as Error);
        backend.close().catch(() => undefined);
        replaceBackend();
        owner.backend.on('error', (later: Error) => owner.emit('error', later));
      }
      throw error;
    }
  });
}
