import { systemClock, type Clock } from '#libs/config/clock.js';

const MB = 1024 * 1024;
const BYTES_PER_MS = (8 * MB) / 1_000;
/** Bytes that a user may send without delay: a few files. */
const BURST_BYTES = 24 * MB;

/** Limits the rate at which each user's files are received, so that they do not delay other requests. */
export class UploadRates {
  /** Time at which each user's bytes would have arrived at the limit, in milliseconds of the clock. */
  private readonly due = new Map<string, number>();

  constructor(private readonly clock: Pick<Clock, 'elapsed' | 'after'> = systemClock) {}

  /** Passes a user's bytes on when they are due. */
  async *limit(userId: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    this.forgetIdleUsers();
    for await (const chunk of content) {
      const early = this.count(userId, chunk.length) - BURST_BYTES / BYTES_PER_MS;
      if (early >= 1) await new Promise<void>((resolve) => this.clock.after(early, resolve));
      yield chunk;
    }
  }

  /** @returns milliseconds until all bytes of this user are due */
  private count(userId: string, bytes: number): number {
    const now = this.clock.elapsed();
    const due = Math.max(this.due.get(userId) ?? 0, now) + bytes / BYTES_PER_MS;
    this.due.set(userId, due);
    return due - now;
  }

  private forgetIdleUsers(): void {
    const now = this.clock.elapsed();
    for (const [userId, due] of this.due) if (due <= now) this.due.delete(userId);
  }
}
