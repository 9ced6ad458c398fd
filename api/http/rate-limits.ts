import { isIPv6 } from 'node:net';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Config, QueueConfig } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { connectRedis } from '#libs/redis/connect-redis.js';

const WINDOW_SECONDS = 60;
/** Milliseconds after which a Redis that does not answer is done without. */
const REDIS_PATIENCE = 300;

/**
 * Counts calls in windows of a minute: for each user, and for each address where nobody is known. The counts are in
 * Redis where the queue is, shared by all processes; otherwise, and while Redis is away, in the memory of each process.
 */
export class RateLimits implements OnApplicationShutdown {
  readonly #redis: Redis | Cluster | undefined;
  readonly #requests: RateLimiterAbstract;
  readonly #submissions: RateLimiterAbstract;
  readonly #addresses: RateLimiterAbstract;

  constructor({ queue, rateLimits }: Pick<Config, 'queue' | 'rateLimits'>) {
    this.#redis = connect(queue);
    this.#requests = this.#limiter('requests', rateLimits.requests);
    this.#submissions = this.#limiter('submissions', rateLimits.submissions);
    this.#addresses = this.#limiter('addresses', rateLimits.requests);
  }

  /** @throws AppError `RATE_LIMITED` with the seconds to wait. */
  async countUser(userId: string, isSubmission: boolean): Promise<void> {
    await consume(this.#requests, userId, 'You are sending requests too fast.');
    if (isSubmission) await consume(this.#submissions, userId, 'You are starting jobs too fast.');
  }

  /** @throws AppError `RATE_LIMITED` with the seconds to wait. */
  async countAddress(ip: string | undefined): Promise<void> {
    await consume(this.#addresses, network(ip), 'Too many requests come from your address.');
  }

  onApplicationShutdown(): void {
    this.#redis?.disconnect();
  }

  #limiter(name: string, points: number): RateLimiterAbstract {
    const options = { keyPrefix: `pressroom:limit:${name}`, points, duration: WINDOW_SECONDS };
    const memory = new RateLimiterMemory(options);
    if (!this.#redis) return memory;
    return new RateLimiterRedis({
      ...options,
      storeClient: this.#redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: memory,
    });
  }
}

async function consume(limiter: RateLimiterAbstract, key: string, message: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw new AppError(
      'RATE_LIMITED',
      `${message} Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      {
        retryAfterSeconds: seconds,
      },
    );
  }
}

function connect(queue: QueueConfig): Redis | Cluster | undefined {
  if (queue.kind === 'postgres') return undefined;
  const redis = connectRedis(queue, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: REDIS_PATIENCE,
  });
  // Readiness tells of a Redis that is away; limits go on in memory.
  redis.on('error', () => undefined);
  return redis;
}

/** What counts as one address: an IPv4 address, or the /64 network of an IPv6 one, which one household holds. */
function network(ip: string | undefined): string {
  const address = (ip ?? 'unknown').replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':');
}
