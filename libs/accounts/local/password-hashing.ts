import { AsyncLocalStorage } from 'node:async_hooks';
import { APIError, isAPIError } from 'better-auth/api';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { systemClock, type Clock } from '#libs/config/clock.js';

/**
 * Hashes at once. Node.js has at least four threads for them, for files, compression and token checks (UV_THREADPOOL_SIZE):
 * two stay free.
 */
const HASHES = 2;
/** Sign-ins and sign-ups at once: as many as hash, so that none waits within for one of another network. */
const SIGN_INS = HASHES;
/** Hashes that wait, about a second of work. */
const HASHES_WAITING = 20;
/** Sign-ins and sign-ups that wait: with those that run, half a second of work. */
const SIGN_INS_WAITING = 6;
/** Milliseconds after which requests are counted anew, and networks at most: an attacker may have many IPv6 addresses. */
const COUNTED_MS = 60_000;
const NETWORKS_MAX = 10_000;
const RETRY_LATER = { 'X-Retry-After': '2' };

/** Code of a refusal whose caller is not the cause. */
export const MANY_SIGN_INS = 'MANY_SIGN_INS';

const networks = new AsyncLocalStorage<string>();

/** Runs a request whose hashes wait in the line of its network. */
export const hashingFor = <T>(network: string, work: () => T): T => networks.run(network, work);

interface Waiting {
  network: string;
  begin: () => void;
  refuse: (error: APIError) => void;
}

/**
 * Runs few tasks at once, first those of the network that has asked least in the last minute. While many wait, refuses (APIError
 * 429) the network that has asked most, or the caller if none that waits has asked more.
 */
class NetworkLine {
  /** In the order of arrival. */
  private readonly waiting: Waiting[] = [];
  private readonly asked = new Map<string, number>();
  private countedSince: number;
  private running = 0;

  constructor(
    private readonly atOnce: number,
    private readonly waitingAtMost: number,
    private readonly clock: Clock,
  ) {
    this.countedSince = clock.elapsed();
  }

  async run<T>(network: string, work: () => Promise<T>): Promise<T> {
    this.count(network);
    await this.take(network);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  private count(network: string): void {
    const now = this.clock.elapsed();
    if (now - this.countedSince > COUNTED_MS || this.asked.size > NETWORKS_MAX) {
      this.asked.clear();
      this.countedSince = now;
    }
    this.asked.set(network, this.askedBy(network) + 1);
  }

  private take(network: string): Promise<void> {
    if (this.running < this.atOnce) {
      this.running += 1;
      return Promise.resolve();
    }
    if (this.waiting.length === this.waitingAtMost) this.makeRoom(network);
    return new Promise((begin, refuse) => this.waiting.push({ network, begin, refuse }));
  }

  /** Gives the slot to the first task of the network that has asked least. */
  private release(): void {
    const next = this.waiting.reduce<Waiting | undefined>(
      (least, one) => (least && this.askedBy(least.network) <= this.askedBy(one.network) ? least : one),
      undefined,
    );
    if (!next) {
      this.running -= 1;
      return;
    }
    this.remove(next);
    next.begin();
  }

  /** Refuses the latest task of the network that has asked most, which may be the caller's. */
  private makeRoom(network: string): void {
    const own = this.askedBy(network);
    const latest = this.waiting.reduce((most, one) =>
      this.askedBy(one.network) >= this.askedBy(most.network) ? one : most,
    );
    if (this.askedBy(latest.network) <= own) throw refusal(own > 1 ? 'RATE_LIMITED' : MANY_SIGN_INS);
    this.remove(latest);
    latest.refuse(refusal('RATE_LIMITED'));
  }

  private remove(one: Waiting): void {
    this.waiting.splice(this.waiting.indexOf(one), 1);
  }

  private readonly askedBy = (network: string) => this.asked.get(network) ?? 0;
}

/** Hashes and compares passwords, few at once. */
export function passwordHashing(clock = systemClock) {
  const line = new NetworkLine(HASHES, HASHES_WAITING, clock);
  const inLine = <T>(work: () => Promise<T>) => line.run(networks.getStore() ?? '', work);
  return {
    hash: (password: string) => inLine(() => hashPassword(password)),
    verify: (data: { hash: string; password: string }) => inLine(() => verifyPassword(data)),
  };
}

/** Limits whole sign-ins and sign-ups at once, because each has many statements before its hash. */
export function signInLine(clock = systemClock) {
  const line = new NetworkLine(SIGN_INS, SIGN_INS_WAITING, clock);
  /** @returns the answer, or 429 if it is refused */
  return async (network: string, work: () => Promise<Response>): Promise<Response> => {
    try {
      return await line.run(network, work);
    } catch (error) {
      if (!isAPIError(error)) throw error;
      return Response.json(error.body, { status: error.statusCode, headers: RETRY_LATER });
    }
  };
}

const refusal = (code: string) => new APIError('TOO_MANY_REQUESTS', { code }, RETRY_LATER);
