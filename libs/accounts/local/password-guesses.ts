import type { RateLimitStorage } from './rate-limit-storage.js';

interface Slowdown {
  /** Number of wrong passwords before the first wait. */
  free: number;
  firstWaitSeconds: number;
  /** The wait doubles after this many further wrong passwords. */
  doublesAfter: number;
  maxWaitSeconds: number;
}

/** For guesses at one account from one source: 5, 10, 20 … seconds from the fifth guess on, at most 15 minutes. */
const ONE_SOURCE: Slowdown = { free: 5, firstWaitSeconds: 5, doublesAfter: 1, maxWaitSeconds: 900 };
/** For guesses at one account from all unknown sources. The waits are shorter, because the owner may use a new device. */
const ALL_SOURCES: Slowdown = { free: 20, firstWaitSeconds: 5, doublesAfter: 10, maxWaitSeconds: 60 };

const COUNT_WINDOW = { window: 86_400, max: Number.MAX_SAFE_INTEGER };

/**
 * The origin of a password guess.
 * @property account hash of the email address, which may have no account
 * @property source id of the session or the known device, or otherwise the client's network
 * @property hasSignedIn true for a session, or a device that signed in before. Guesses of other sources do not slow it down.
 */
export interface Guesser {
  account: string;
  source: string;
  hasSignedIn: boolean;
}

/** A permitted guess, which counts as wrong unless the caller calls `accept` or `withdraw`. */
export interface Guess {
  accept(): Promise<void>;
  /** Call it if no password was compared. */
  withdraw(): Promise<void>;
}

/** Delays password guesses. Never blocks an account, so attackers cannot lock its owner out. */
export class PasswordGuesses {
  constructor(private readonly limits: RateLimitStorage) {}

  /** @returns the guess, or the seconds to wait before a guess is allowed */
  async begin({ account, source, hasSignedIn }: Guesser): Promise<Guess | number> {
    const own = `guesses/${account}/${source}`;
    const all = `guesses/${account}`;
    const begun = [await this.count(own, ONE_SOURCE)];
    if (!hasSignedIn && begun[0]!.wait === null) begun.push(await this.count(all, ALL_SOURCES));
    const withdraw = async () => {
      for (const { restore } of begun) await restore();
    };
    const { wait } = begun.at(-1)!;
    if (wait !== null) {
      await withdraw();
      return wait;
    }
    return {
      withdraw,
      accept: async () => {
        await withdraw();
        // Resets the count of this source only. The count of all unknown sources stays.
        await this.limits.forget(own);
      },
    };
  }

  /** Resets the count of all unknown sources. Call it when the account's owner has set a new password. */
  async forgetOthers(account: string): Promise<void> {
    const key = `guesses/${account}`;
    await Promise.all([this.limits.forget(key), this.limits.forget(slotOf(key))]);
  }

  /**
   * Counts a guess. Must be called before the password is compared, so that simultaneous guesses count too. Beyond the
   * `free` guesses, only one guess per wait is allowed.
   */
  private async count(key: string, { free, firstWaitSeconds, doublesAfter, maxWaitSeconds }: Slowdown) {
    const { count } = await this.limits.consume(key, COUNT_WINDOW);
    const slot = slotOf(key);
    const window = Math.min(
      maxWaitSeconds,
      Math.round(firstWaitSeconds * 2 ** ((count - free) / doublesAfter)),
    );
    const taken = count < free ? null : await this.limits.consume(slot, { max: 1, window });
    return {
      wait: taken === null || taken.allowed ? null : taken.retryAfter,
      restore: async () => {
        await this.limits.restore(key, COUNT_WINDOW);
        if (taken?.allowed) await this.limits.forget(slot);
      },
    };
  }
}

/** Rate limit key that an allowed guess occupies until the next guess is allowed. */
const slotOf = (key: string) => `${key}/wait`;
