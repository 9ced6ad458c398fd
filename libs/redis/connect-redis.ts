import { randomInt } from 'node:crypto';
import { Cluster, Redis, type ClusterNode, type ClusterOptions, type RedisOptions } from 'ioredis';
import type { QueueConfig } from '#libs/config/environment.js';

type RedisConfig = Exclude<QueueConfig, { kind: 'postgres' }>;

interface CommandOptions {
  enableOfflineQueue?: boolean;
  maxRetriesPerRequest?: number | null;
  commandTimeout?: number;
  /** Sends all commands of one turn of the event loop in one write. */
  enableAutoPipelining?: boolean;
}

/** Connects to the configured Redis server or cluster. The caller must close the connection. */
export const connectRedis = (config: RedisConfig, options: CommandOptions = {}): Redis | Cluster =>
  config.kind === 'redis'
    ? new Redis(config.url, redisOptions(options))
    : new Cluster(config.nodes, clusterOptions(config, options));

/**
 * Like {@link connectRedis}, but the connection lists its duplicates, so that the caller can close duplicates that a library
 * has opened.
 */
export const connectRedisWithDuplicates = (config: RedisConfig, options: CommandOptions = {}) =>
  ignoreRejections(
    config.kind === 'redis'
      ? new RedisWithDuplicates(config.url, redisOptions(options))
      : new ClusterWithDuplicates(config.nodes, clusterOptions(config, options)),
  );

/**
 * Connects to the server, or to one node of the cluster: every node gets all published messages. After a lost connection, it
 * connects to the next node. Neither subscriptions nor commands are repeated. The caller must close the connection.
 * @param main a connection to the same cluster, which knows nodes that the configuration does not list
 */
export function connectSubscriber(config: RedisConfig, main: Redis | Cluster): Redis {
  const options: RedisOptions = {
    ...redisOptions({ maxRetriesPerRequest: 0 }),
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
  };
  if (config.kind === 'redis') return new Redis(config.url, options);
  const { username, password, tls } = config;
  let index = randomInt(config.nodes.length);
  const nextNode = () => {
    const known =
      main instanceof Cluster ? main.nodes().map(({ options: { host, port } }) => ({ host, port })) : [];
    const nodes = [...config.nodes, ...known];
    return nodes[(index += 1) % nodes.length]!;
  };
  const connection: Redis = new Redis({
    ...options,
    ...nextNode(),
    ...{ username, password, tls: tls ? {} : undefined },
    retryStrategy: (times) => {
      Object.assign(connection.options, nextNode());
      return retryStrategy(times);
    },
  });
  // A node that hangs keeps its connections after its replica has replaced it.
  main.on('-node', ({ options: { host, port } }: Redis) => {
    // The cluster names its nodes by address, the configuration perhaps by host name.
    const { host: given, port: givenPort } = connection.options;
    const { remoteAddress, remotePort } = connection.stream;
    const isOurs = (host === given && port === givenPort) || (host === remoteAddress && port === remotePort);
    if (isOurs) connection.disconnect(true);
  });
  return connection;
}

/**
 * Milliseconds until a closing connection is destroyed. Short, because ioredis does not clear this timer when the connection
 * ends, and the process cannot exit before.
 */
const DISCONNECT_WITHIN = 200;

/**
 * Delay of TCP keep-alive probes. Without them, a connection that waits for a reply never notices that packets are dropped.
 */
const PROBE_AFTER_MS = 10_000;

const retryStrategy = (times: number) => Math.min(50 * 2 ** times, 2_000);

const redisOptions = (options: CommandOptions): RedisOptions => ({
  ...options,
  retryStrategy,
  connectTimeout: 5_000,
  keepAlive: PROBE_AFTER_MS,
  disconnectTimeout: DISCONNECT_WITHIN,
});

const clusterOptions = (
  config: Extract<RedisConfig, { kind: 'redis-cluster' }>,
  options: CommandOptions,
): ClusterOptions => ({
  enableOfflineQueue: options.enableOfflineQueue,
  enableAutoPipelining: options.enableAutoPipelining,
  clusterRetryStrategy: retryStrategy,
  // Disables the lookup of IP addresses, because certificates contain host names.
  ...(config.tls && { dnsLookup: (host, found) => found(null, host) }),
  redisOptions: {
    username: config.username,
    password: config.password,
    tls: config.tls ? {} : undefined,
    maxRetriesPerRequest: options.maxRetriesPerRequest,
    commandTimeout: options.commandTimeout,
    connectTimeout: 5_000,
    keepAlive: PROBE_AFTER_MS,
    disconnectTimeout: DISCONNECT_WITHIN,
  },
});

/** The connection that was duplicated reports the same error. Without a listener, ioredis prints it. */
const ignoreError = () => undefined;

class RedisWithDuplicates extends Redis {
  readonly duplicates: Redis[] = [];

  /** Disables pipelining, because other commands would wait for a blocking command of the duplicate. */
  override duplicate(options?: Partial<RedisOptions>): Redis {
    const copy = ignoreRejections(super.duplicate({ ...options, enableAutoPipelining: false }));
    copy.on('error', ignoreError);
    this.duplicates.push(copy);
    return copy;
  }
}

class ClusterWithDuplicates extends Cluster {
  readonly duplicates: Cluster[] = [];

  override duplicate(nodes?: ClusterNode[], options?: ClusterOptions): Cluster {
    const copy = ignoreRejections(super.duplicate(nodes, { ...options, enableAutoPipelining: false }));
    copy.on('error', ignoreError);
    this.duplicates.push(copy);
    return copy;
  }
}

const COMMANDS_OF_ADAPTER = ['publish', 'spublish', 'subscribe', 'ssubscribe', 'xadd'] as const;

/**
 * Keeps commands that socket.io's adapter does not await from ending the process when they are rejected. The connection's
 * "error" event reports the cause.
 */
function ignoreRejections<Connection extends Redis | Cluster>(connection: Connection): Connection {
  for (const name of COMMANDS_OF_ADAPTER) {
    const send = connection[name].bind(connection) as (...given: unknown[]) => Promise<unknown>;
    Object.assign(connection, {
      [name]: (...given: unknown[]) => {
        const sent = send(...given);
        sent.catch(() => undefined);
        return sent;
      },
    });
  }
  return connection;
}
