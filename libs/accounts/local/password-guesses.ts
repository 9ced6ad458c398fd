import type { RateLimitStorage } from './rate-limit-storage.js';

interface Slowdown {
  /** Wrong passwords without a wait. */
  free: number;
  firstWaitSeconds: number;
  /** Further wrong passwords after which the wait doubles. */
  doublesAfter: number;
  maxWaitSeconds: number;
}

/** One source at one account: 5, 10, 20 … seconds after the fifth, at most 15 minutes. */
const ONE_SOURCE: Slowdown = { free: 5, firstWaitSeconds: 5, doublesAfter: 1, maxWaitSeconds: 900 };
/** All unknown devices at one account together. Shorter waits, since the owner may have a new device. */
const ALL_SOURCES: Slowdown = { free: 20, firstWaitSeconds: 5, doublesAfter: 10, maxWaitSeconds: 60 };

const COUNT_WINDOW = { window: 86_400, max: Number.MAX_SAFE_INTEGER };

/**
 * @property account a hash of the address, whether or not an account has it
 * @property source the client's network, or the account's device or session
 * @property isKnown whether the device or session signed in before: guesses of others do not slow it down
 */
export interface Guesser {
  account: string;
  source: string;
  isKnown: boolean;
}

/** A permitted guess. Call exactly one function afterwards, or none for a wrong password. */
export interface Guess {
  /** The password was right. */
  accept(): Promise<void>;
  /** No password was compared. */
  withdraw(): Promise<void>;
}

/** Slows down guesses of passwords without stopping them, so that nobody can lock the owner out. */
export class PasswordGuesses {
  constructor(private readonly limits: RateLimitStorage) {}

  /** @returns the guess, or the seconds to wait for it */
  async begin({ account, source, isKnown }: Guesser): Promise<Guess | number> {
    const own = `guesses/${account}/${source}`;
    const all = `guesses/${account}`;
    const begun = [await this.count(own, ONE_SOURCE)];
    if (!isKnown && begun[0]!.wait === null) begun.push(await this.count(all, ALL_SOURCES));
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
        // The count of other sources stays.
        await this.limits.forget(own);
      },
    };
  }

  /** Resets the count of an account whose owner has set a new password. */
  async forgetOthers(account: string): Promise<void> {
    const key = `guesses/${account}`;
    await Promise.all([this.limits.forget(key), this.limits.forget(slotOf(key))]);
  }

  /**
   * Counts before the password is compared, so that simultaneous guesses all count. Of the guesses that must wait, one at a
   * time passes.
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

/** The key that a guess with a wait holds until the next guess may be made. */
const slotOf = (key: string) => `${key}/wait`;
