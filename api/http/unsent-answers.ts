import type { RequestHandler, Response } from 'express';

/** Milliseconds after which an answer of which nothing moves is ended. Node.js counts what the kernel takes as moving. */
const STALLED_MS = 30_000;
/** Maximum bytes of answers that one caller has not read. Half a dozen pages of long texts. */
const UNSENT_MAX_BYTES = 8 * 2 ** 20;

/**
 * Ends answers that are not read, which would occupy memory and connections. Applies once an answer is written, and to
 * files, whose bytes are piped; not to a request that waits for its job.
 */
export const endStalledAnswers =
  (milliseconds = STALLED_MS): RequestHandler =>
  (request, response, next) => {
    const { socket } = request;
    const limit = () => void socket.setTimeout(milliseconds);
    response.once('prefinish', limit);
    response.once('pipe', limit);
    // Before Node.js's own listener, which sets the time for the next request of the connection.
    response.prependOnceListener('finish', () => void socket.setTimeout(0));
    next();
  };

/** Counts the bytes of answers that callers have not read. */
export class UnsentAnswers {
  private readonly bytes = new Map<string, number>();

  constructor(private readonly maxBytes = UNSENT_MAX_BYTES) {}

  isTooMuch(caller: string): boolean {
    return (this.bytes.get(caller) ?? 0) > this.maxBytes;
  }

  /** Counts an answer from when it is written until it is read or its connection closes. */
  count(caller: string, response: Response): void {
    response.once('prefinish', () => {
      const unsent = response.socket?.writableLength ?? 0;
      if (unsent === 0 || response.closed) return;
      this.bytes.set(caller, (this.bytes.get(caller) ?? 0) + unsent);
      response.once('close', () => {
        const left = this.bytes.get(caller)! - unsent;
        if (left > 0) this.bytes.set(caller, left);
        else this.bytes.delete(caller);
      });
    });
  }
}
