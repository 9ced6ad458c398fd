import ipaddr from 'ipaddr.js';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import type { Cluster, Redis } from 'ioredis';
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Caller } from '#libs/accounts/identity.js';
import type { Config, QueueConfig } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { MAX_MANUAL_DELIVERIES } from '#libs/contract/webhooks.js';
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
  batches: 'You are creating batches too fast.',
  /** Saves of edited texts, about one per second while a user types. */
  edits: 'You are saving too fast.',
  /** ZIP downloads of up to 200 pictures each, counted by the user who owns the pictures. */
  publications: 'You are publishing too fast.',
  reports: 'You are reporting too fast.',
  zips: 'This is downloaded too often.',
  /** Test events of webhooks, and deliveries that a user sends again. */
  manualDeliveries: 'You are sending events too fast.',
  /** Requests of an API key that has a limit of its own. */
  keys: 'This API key is sending requests too fast.',
  addresses: 'Too many requests come from your address.',
  /**
   * Requests for public files. Separate, since a page has many images and all users of an office may share an address.
   */
  files: 'Too many requests come from your address.',
  /** Pages and files of the web client. */
  pages: 'Too many requests come from your address.',
  /** Separate, so that no user of the prober's address makes an api count as unhealthy. */
  probes: 'Too many requests come from your address.',
  handshakes: 'Too many connections come from your address.',
};
type Limit = Exclude<keyof typeof messages, 'keys'>;
type AddressLimit = 'addresses' | 'files' | 'pages' | 'probes' | 'handshakes';

/** Counted in memory alone, so that none of them waits for Redis. */
const IN_MEMORY = new Set<string>(['pages', 'probes'] satisfies Limit[]);

/**
 * Counts calls per minute by user, or by address if the user is unknown. If the queue uses Redis, counts are shared
 * between processes in Redis. Otherwise, and while Redis is unavailable, each process counts in memory.
 */
export class RateLimits implements OnApplicationShutdown {
  private readonly redis: Redis | Cluster | undefined;
  private readonly keyLimiters = new Map<number, RateLimiterAbstract>();
  private readonly limiters: Record<Limit, RateLimiterAbstract>;

  constructor({ queue, rateLimits }: Pick<Config, 'queue' | 'rateLimits'>) {
    this.redis = connect(queue);
    const { requests, submissions, previews, versions } = rateLimits;
    const points: Record<Limit, number> = {
      ...{ requests, submissions, previews, versions, edits: 120, publications: 30, reports: 10, zips: 10 },
      batches: Math.ceil(requests / 30),
      manualDeliveries: MAX_MANUAL_DELIVERIES,
      ...{ addresses: requests, handshakes: requests },
      ...{ files: 20 * requests, pages: 20 * requests, probes: 20 * requests },
    };
    const entries = Object.entries(points).map(([name, count]) => [name, this.limiter(name, count)]);
    this.limiters = Object.fromEntries(entries) as Record<Limit, RateLimiterAbstract>;
  }

  /** @throws AppError `RATE_LIMITED` with the seconds until the next allowed call */
  async count(limit: Exclude<Limit, AddressLimit>, key: string, response: Response): Promise<void> {
    await this.consume(limit, this.limiters[limit], key, response);
  }

  /** Counts a request of a user, and of the API key that it has. */
  async countCaller(caller: Caller, isSubmission: boolean, response: Response): Promise<void> {
    await waitForAll([
      ...this.countRequests(caller, 1, response),
      ...(isSubmission ? [this.count('submissions', caller.userId, response)] : []),
    ]);
  }

  /** Counts the calls that a request has besides its first. @throws AppError `RATE_LIMITED` */
  async countFurtherCalls(caller: Caller, calls: number): Promise<void> {
    if (calls > 0) await waitForAll(this.countRequests(caller, calls, null));
  }

  private countRequests(
    { userId, apiKey }: Caller,
    requests: number,
    response: Response | null,
  ): Promise<void>[] {
    return [
      this.consume('requests', this.limiters.requests, userId, response, requests),
      ...(apiKey?.ratePerMinute
        ? [this.consume('keys', this.keyLimiter(apiKey.ratePerMinute), apiKey.id, response, requests)]
        : []),
    ];
  }

  /** @param response absent for a socket's handshake */
  async countAddress(
    ip: string | undefined,
    response: Response | null,
    limit: AddressLimit = 'addresses',
  ): Promise<void> {
    await this.consume(limit, this.limiters[limit], network(ip), response);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  private async consume(
    name: keyof typeof messages,
    limiter: RateLimiterAbstract,
    key: string,
    response: Response | null,
    points = 1,
  ): Promise<void> {
    try {
      const state = await limiter.consume(key, points);
      if (response) setRateLimitHeaders(response, name, limiter.points, state);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      if (response) setRateLimitHeaders(response, name, limiter.points, error);
      const seconds = secondsUntilReset(error);
      const wait = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
      throw new AppError('RATE_LIMITED', `${messages[name]} Try again in ${wait}.`, {
        retryAfterSeconds: seconds,
      });
    }
  }

  /** The limiter of the keys with this rate. There are few rates, since they are numbers that people choose. */
  private keyLimiter(ratePerMinute: number): RateLimiterAbstract {
    const limiter = this.keyLimiters.get(ratePerMinute) ?? this.limiter('keys', ratePerMinute);
    this.keyLimiters.set(ratePerMinute, limiter);
    return limiter;
  }

  private limiter(name: string, points: number): RateLimiterAbstract {
    const options = { keyPrefix: `pressroom:limit:${name}`, points, duration: WINDOW_SECONDS };
    const memory = new RateLimiterMemory(options);
    if (!this.redis || IN_MEMORY.has(name)) return memory;
    return new RateLimiterRedis({
      ...options,
      storeClient: this.redis,
      rejectIfRedisNotReady: true,
      insuranceLimiter: memory,
    });
  }
}

/** Throws the first error when all have ended. Counts that start together reach Redis in one write. */
async function waitForAll(counts: Promise<void>[]): Promise<void> {
  for (const count of await Promise.allSettled(counts)) if (count.status === 'rejected') throw count.reason;
}

const secondsUntilReset = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000));

/**
 * Adds a limit to the fields `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-10: `q` requests
 * per window of `w` seconds, `r` remaining, reset in `t` seconds.
 */
function setRateLimitHeaders(response: Response, name: string, points: number, state: RateLimiterRes): void {
  // A call of MCP starts its job when its stream has begun.
  if (response.headersSent) return;
  const append = (field: string, item: string) =>
    response.setHeader(field, [response.getHeader(field), item].filter(Boolean).join(', '));
  append('RateLimit-Policy', `"${name}";q=${points};w=${WINDOW_SECONDS}`);
  append('RateLimit', `"${name}";r=${state.remainingPoints};t=${secondsUntilReset(state)}`);
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
