import ipaddr from 'ipaddr.js';
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
/** Milliseconds after which a count falls back to memory if Redis does not respond. */
const REDIS_TIMEOUT_MS = 300;

/** Each limit with the start of its error message. */
const messages = {
  requests: 'You are sending requests too fast.',
  submissions: 'You are starting jobs too fast.',
  previews: 'You are asking for previews or documents too fast.',
  versions: 'You are saving versions too fast.',
  /** Saves of edited texts, about one per second while a user types. */
  edits: 'You are saving too fast.',
  /** ZIP downloads of up to 200 pictures each, counted by the user who owns the pictures. */
  zips: 'This is downloaded too often.',
  addresses: 'Too many requests come from your address.',
  /**
   * Requests for public files. Separate, since a page has many images and all users of an office may share an address.
   */
  files: 'Too many requests come from your address.',
  handshakes: 'Too many connections come from your address.',
};
type Limit = keyof typeof messages;
type AddressLimit = 'addresses' | 'files' | 'handshakes';

/**
 * Counts calls per minute by user, or by address if the user is unknown. If the queue uses Redis, counts are shared
 * between processes in Redis. Otherwise, and while Redis is unavailable, each process counts in memory.
 */
export class RateLimits implements OnApplicationShutdown {
  private readonly redis: Redis | Cluster | undefined;
  private readonly limiters: Record<Limit, RateLimiterAbstract>;

  constructor({ queue, rateLimits }: Pick<Config, 'queue' | 'rateLimits'>) {
    this.redis = connect(queue);
    const { requests, submissions, previews, versions } = rateLimits;
    const points: Record<Limit, number> = {
      ...{ requests, submissions, previews, versions, edits: 120, zips: 10 },
      ...{ addresses: requests, files: 20 * requests, handshakes: requests },
    };
    const entries = Object.entries(points).map(([name, count]) => [name, this.limiter(name, count)]);
    this.limiters = Object.fromEntries(entries) as Record<Limit, RateLimiterAbstract>;
  }

  /** @throws AppError `RATE_LIMITED` with the seconds until the next allowed call */
  async count(limit: Exclude<Limit, AddressLimit>, key: string): Promise<void> {
    await consume(this.limiters[limit], key, messages[limit]);
  }

  async countUser(userId: string, isSubmission: boolean): Promise<void> {
    // Start both counts before awaiting, so that Redis gets both in one write.
    const counts = [
      this.count('requests', userId),
      ...(isSubmission ? [this.count('submissions', userId)] : []),
    ];
    for (const count of await Promise.allSettled(counts)) if (count.status === 'rejected') throw count.reason;
  }

  async countAddress(ip: string | undefined, limit: AddressLimit = 'addresses'): Promise<void> {
    await consume(this.limiters[limit], network(ip), messages[limit]);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  private limiter(name: string, points: number): RateLimiterAbstract {
    const options = { keyPrefix: `pressroom:limit:${name}`, points, duration: WINDOW_SECONDS };
    const memory = new RateLimiterMemory(options);
    if (!this.redis) return memory;
    return new RateLimiterRedis({
      ...options,
      storeClient: this.redis,
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
    const wait = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
    throw new AppError('RATE_LIMITED', `${message} Try again in ${wait}.`, { retryAfterSeconds: seconds });
  }
}

function connect(queue: QueueConfig): Redis | Cluster | undefined {
  if (queue.kind === 'postgres') return undefined;
  const redis = connectRedis(queue, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: REDIS_TIMEOUT_MS,
    enableAutoPipelining: true,
  });
  // Ignore connection errors: readiness checks report them, and limits continue in memory.
  redis.on('error', () => undefined);
  return redis;
}

/**
 * Rate-limit key of an address: the IPv4 address, or the /64 network of an IPv6 address, since a household has a whole
 * /64.
 */
export function network(ip = ''): string {
  const text = ip.replace(/%.*$/, '');
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString();
}
