import { Cluster, Redis } from 'ioredis';
import type { QueueConfig } from '#libs/config/environment.js';

/** A connection to the configured Redis, single or cluster. The caller closes it. */
export function connectRedis(
  config: Exclude<QueueConfig, { kind: 'postgres' }>,
  options: {
    enableOfflineQueue?: boolean;
    maxRetriesPerRequest?: number | null;
    commandTimeout?: number;
  } = {},
): Redis | Cluster {
  const retryStrategy = (times: number) => Math.min(50 * 2 ** times, 2_000);
  return config.kind === 'redis'
    ? new Redis(config.url, { ...options, retryStrategy, connectTimeout: 5_000 })
    : new Cluster(config.nodes, {
        enableOfflineQueue: options.enableOfflineQueue,
        clusterRetryStrategy: retryStrategy,
        // Certificates are for names: a node that is known by its name is asked for by it, not by its address.
        ...(config.tls && { dnsLookup: (host, found) => found(null, host) }),
        redisOptions: {
          username: config.username,
          password: config.password,
          tls: config.tls ? {} : undefined,
          maxRetriesPerRequest: options.maxRetriesPerRequest,
          commandTimeout: options.commandTimeout,
          connectTimeout: 5_000,
        },
      });
}
