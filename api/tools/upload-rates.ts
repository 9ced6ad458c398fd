import { systemClock, type Clock } from '#libs/config/clock.js';

const MB = 1024 * 1024;
const BYTES_PER_MS = (8 * MB) / 1_000;
/** What a user may send faster: a few files. */
const BURST_BYTES = 24 * MB;

/** Reads the files of each user no faster than a limit, all files together, so that receiving them leaves time for others. */
export class UploadRates {
  /** When the bytes that each user sent would have arrived at the limit, in milliseconds of the clock. */
  private readonly due = new Map<string, number>();

  constructor(private readonly clock: Pick<Clock, 'elapsed' | 'after'> = systemClock) {}

  /** Passes the bytes of a user's file on, once they are due. */
  async *limit(userId: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    this.forgetIdleUsers();
    for await (const chunk of content) {
      const early = this.count(userId, chunk.length) - BURST_BYTES / BYTES_PER_MS;
      if (early >= 1) await new Promise<void>((resolve) => this.clock.after(early, resolve));
      yield chunk;
    }
  }

  /** @returns the milliseconds until all bytes of this user are due */
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
