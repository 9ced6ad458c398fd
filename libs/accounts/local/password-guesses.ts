import type { RateLimitStorage } from './rate-limit-storage.js';

/** How wrong passwords slow down further ones. */
interface Slowdown {
  /** Wrong passwords without a wait. */
  free: number;
  firstWaitSeconds: number;
  /** The wait doubles after so many more. */
  doublesAfter: number;
  maxWaitSeconds: number;
}

/** One source at one account: 5, 10, 20 … seconds after the fifth, up to a quarter of an hour. */
const ONE_SOURCE: Slowdown = { free: 5, firstWaitSeconds: 5, doublesAfter: 1, maxWaitSeconds: 900 };
/** All unknown devices at one account, however many addresses they use: gentle, since the owner may have a new device. */
const ALL_SOURCES: Slowdown = { free: 20, firstWaitSeconds: 5, doublesAfter: 10, maxWaitSeconds: 60 };

const COUNT_WINDOW = { window: 86_400, max: Number.MAX_SAFE_INTEGER };

/**
 * @property account no address, but what stands for it: addresses that nobody has are counted alike
 * @property source the client's network, or the device or session that the account knows
 * @property isKnown whether it is a device or session that signed in before: guesses of others do not slow it down
 */
export interface Guesser {
  account: string;
  source: string;
  isKnown: boolean;
}

/** A guess that may be made. Exactly one of its functions is called after it; none for a wrong password. */
export interface Guess {
  /** The password was right. */
  accept(): Promise<void>;
  /** No password was compared. */
  withdraw(): Promise<void>;
}

/** Slows down guesses of passwords, and never stops them: nobody locks the owner out. */
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
        // Others may go on guessing: their count stays.
        await this.limits.forget(own);
      },
    };
  }

  /** For an account that has a new password: only its owner could set it. */
  async forgetOthers(account: string): Promise<void> {
    const key = `guesses/${account}`;
    await Promise.all([this.limits.forget(key), this.limits.forget(slotOf(key))]);
  }

  /**
   * Counts before the password is compared, so that guesses at the same instant are all counted. Of those that must
   * wait, one passes at a time.
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

/** Held by a guess that had to wait, until the next may be made. */
const slotOf = (key: string) => `${key}/wait`;
