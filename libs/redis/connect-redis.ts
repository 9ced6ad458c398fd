import { Cluster, Redis, type ClusterNode, type ClusterOptions, type RedisOptions } from 'ioredis';
import type { QueueConfig } from '#libs/config/environment.js';

type RedisConfig = Exclude<QueueConfig, { kind: 'postgres' }>;

interface CommandOptions {
  enableOfflineQueue?: boolean;
  maxRetriesPerRequest?: number | null;
  commandTimeout?: number;
  /** Sends the commands of one moment in one write. */
  enableAutoPipelining?: boolean;
}

/** A connection to the configured Redis, single or cluster. The caller closes it. */
export const connectRedis = (config: RedisConfig, options: CommandOptions = {}): Redis | Cluster =>
  config.kind === 'redis'
    ? new Redis(config.url, redisOptions(options))
    : new Cluster(config.nodes, clusterOptions(config, options));

/** A connection that lists its duplicates, for a library that does not close them in time. */
export const connectRedisWithDuplicates = (config: RedisConfig, options: CommandOptions = {}) =>
  config.kind === 'redis'
    ? new RedisWithDuplicates(config.url, redisOptions(options))
    : new ClusterWithDuplicates(config.nodes, clusterOptions(config, options));

/**
 * Milliseconds until a closing connection is destroyed. ioredis keeps this timer even after the connection has ended, and the
 * process does not exit before.
 */
const DISCONNECT_WITHIN = 200;

/** Without probes, a connection that waits for a reply would not notice a network that drops its packets. */
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
  // Certificates are for names, so nodes are connected to by name rather than by IP address.
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

class RedisWithDuplicates extends Redis {
  readonly duplicates: Redis[] = [];

  /** Without pipelining, since a duplicate may block on a command. */
  override duplicate(options?: Partial<RedisOptions>): Redis {
    const copy = super.duplicate({ ...options, enableAutoPipelining: false });
    this.duplicates.push(copy);
    return copy;
  }
}

class ClusterWithDuplicates extends Cluster {
  readonly duplicates: Cluster[] = [];

  override duplicate(nodes?: ClusterNode[], options?: ClusterOptions): Cluster {
    const copy = super.duplicate(nodes, { ...options, enableAutoPipelining: false });
    this.duplicates.push(copy);
    return copy;
  }
}
