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
/** How many more public files than other requests an address may ask for. */
const FILES_FACTOR = 20;
/** Downloads of whole batches, for each user whose they are: each reads up to 200 pictures. */
const ZIPS = 10;
/** Saves of edited texts, of which one comes every second or so while its user types. */
const EDITS = 120;
/** Milliseconds after which a count falls back to memory because Redis does not answer. */
const REDIS_TIMEOUT_MS = 300;

/**
 * Counts calls in windows of a minute for each user, and for each address where the user is unknown. The counts are in
 * Redis, shared by all processes, where the queue is there too; otherwise, and while Redis is away, in memory.
 */
export class RateLimits implements OnApplicationShutdown {
  private readonly redis: Redis | Cluster | undefined;
  private readonly requests: RateLimiterAbstract;
  private readonly submissions: RateLimiterAbstract;
  private readonly previews: RateLimiterAbstract;
  private readonly versions: RateLimiterAbstract;
  private readonly zips: RateLimiterAbstract;
  private readonly edits: RateLimiterAbstract;
  private readonly addresses: RateLimiterAbstract;
  private readonly publicFiles: RateLimiterAbstract;
  private readonly handshakes: RateLimiterAbstract;

  constructor({ queue, rateLimits }: Pick<Config, 'queue' | 'rateLimits'>) {
    this.redis = connect(queue);
    this.requests = this.limiter('requests', rateLimits.requests);
    this.submissions = this.limiter('submissions', rateLimits.submissions);
    this.previews = this.limiter('previews', rateLimits.previews);
    this.versions = this.limiter('versions', rateLimits.versions);
    this.zips = this.limiter('zips', ZIPS);
    this.edits = this.limiter('edits', EDITS);
    this.addresses = this.limiter('addresses', rateLimits.requests);
    this.publicFiles = this.limiter('files', rateLimits.requests * FILES_FACTOR);
    this.handshakes = this.limiter('handshakes', rateLimits.requests);
  }

  /** @throws AppError `RATE_LIMITED` with the seconds to wait. */
  async countUser(userId: string, isSubmission: boolean): Promise<void> {
    const counted = consume(this.requests, userId, 'You are sending requests too fast.');
    if (!isSubmission) return counted;
    // At once: Redis gets both in one write.
    const submission = consume(this.submissions, userId, 'You are starting jobs too fast.');
    for (const count of await Promise.allSettled([counted, submission]))
      if (count.status === 'rejected') throw count.reason;
  }

  /** Counts a preview, which is free. @throws AppError `RATE_LIMITED` with the seconds to wait. */
  async countPreview(userId: string): Promise<void> {
    await consume(this.previews, userId, 'You are asking for previews too fast.');
  }

  /** Counts a version of a creation, which is free too. @throws as above */
  async countVersion(userId: string): Promise<void> {
    await consume(this.versions, userId, 'You are saving versions too fast.');
  }

  /** Counts a save of an edited text. @throws as above */
  async countEdit(userId: string): Promise<void> {
    await consume(this.edits, userId, 'You are saving too fast.');
  }

  /** Counts a download of a user's batch, by its owner or by whoever knows its address. @throws as above */
  async countZip(userId: string, isOwner: boolean): Promise<void> {
    await consume(this.zips, `${isOwner ? 'own' : 'shared'}:${userId}`, 'This is downloaded too often.');
  }

  /** @throws AppError `RATE_LIMITED` with the seconds to wait. */
  async countAddress(ip: string | undefined): Promise<void> {
    await consume(this.addresses, network(ip), 'Too many requests come from your address.');
  }

  /** Counts a request for a public file: a page of images has many, and an office one address. @throws as above */
  async countPublicFile(ip: string | undefined): Promise<void> {
    await consume(this.publicFiles, network(ip), 'Too many requests come from your address.');
  }

  /** Counts a socket that is being opened. @throws as above */
  async countHandshake(ip: string | undefined): Promise<void> {
    await consume(this.handshakes, network(ip), 'Too many connections come from your address.');
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
    commandTimeout: REDIS_TIMEOUT_MS,
    enableAutoPipelining: true,
  });
  // Readiness reports an unreachable Redis; limits continue in memory.
  redis.on('error', () => undefined);
  return redis;
}

/** What counts as one address: an IPv4 address, or the /64 network of an IPv6 address, which one household has. */
export function network(ip = ''): string {
  const text = ip.replace(/%.*$/, '');
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString();
}
