import { systemClock, type Clock } from '#libs/config/clock.js';

const MB = 1024 * 1024;
const BYTES_PER_MS = (8 * MB) / 1_000;
/** Bytes that a user may upload at full speed before throttling starts: a few files. */
const BURST_BYTES = 24 * MB;

/** Limits the upload rate per user, so that uploads do not delay other requests. */
export class UploadRates {
  /**
   * Time by user, in milliseconds of the clock, at which the bytes received so far would have arrived at the limited
   * rate.
   */
  private readonly due = new Map<string, number>();

  constructor(private readonly clock: Pick<Clock, 'elapsed' | 'after'> = systemClock) {}

  /** Yields chunks of an upload, delayed to the user's rate limit. */
  async *limit(userId: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    this.forgetIdleUsers();
    for await (const chunk of content) {
      const early = this.count(userId, chunk.length) - BURST_BYTES / BYTES_PER_MS;
      if (early >= 1) await new Promise<void>((resolve) => this.clock.after(early, resolve));
      yield chunk;
    }
  }

  /** Counts received bytes. @returns milliseconds by which the user's bytes are ahead of the rate limit */
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
