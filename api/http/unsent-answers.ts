import type { RequestHandler, Response } from 'express';
import { AppError } from '#libs/contract/errors.js';

/** Milliseconds after which an answer of which nothing moves is ended. Node.js counts what the kernel takes as moving. */
const STALLED_MS = 30_000;
/** Maximum bytes of answers that one caller has not read. Thirty pages of long texts. */
const UNSENT_MAX_BYTES = 8 * 2 ** 20;

/**
 * Ends answers that are not read, which would occupy memory and connections. Applies once an answer is written, and to
 * files, whose bytes are piped; not to a request that waits for its job. Must be mounted after the compression, which ends
 * an answer only when the client has read it.
 */
export const endStalledAnswers =
  (milliseconds = STALLED_MS): RequestHandler =>
  (request, response, next) => {
    const { socket } = request;
    const limit = () => void socket.setTimeout(milliseconds);
    onWrite(response, 'end', limit);
    response.once('pipe', limit);
    // Before Node.js's own listener, which sets the time for the next request of the connection.
    response.prependOnceListener('finish', () => void socket.setTimeout(0));
    next();
  };

/** Counts the bytes of answers that callers have not read. The latest chunk counts by its size before compression. */
export class UnsentAnswers {
  private readonly bytes = new Map<string, number>();

  constructor(private readonly maxBytes = UNSENT_MAX_BYTES) {}

  isTooMuch(caller: string): boolean {
    return this.of(caller) > this.maxBytes;
  }

  /**
   * Counts an answer until it is read or its connection closes. Closes the connection when the caller's other unread answers
   * exceed twice the limit, which happens if many answers begin at once.
   * @throws AppError RATE_LIMITED if earlier answers of the caller are not read
   */
  count(caller: string, response: Response): void {
    if (this.isTooMuch(caller))
      throw new AppError('RATE_LIMITED', 'Earlier answers to you are not read yet. Try again in a second.', {
        retryAfterSeconds: 1,
      });
    let own = 0;
    const change = (unsent: number) => {
      const others = this.of(caller) - own;
      if (others + unsent > 0) this.bytes.set(caller, others + unsent);
      else this.bytes.delete(caller);
      own = unsent;
      if (unsent > 0 && others > 2 * this.maxBytes) response.destroy();
    };
    const onChunk = (length: number) => {
      if (!response.closed) change(response.writableLength + length);
    };
    onWrite(response, 'write', onChunk);
    onWrite(response, 'end', onChunk);
    response.on('drain', () => change(response.writableLength));
    response.once('close', () => change(0));
  }

  private of(caller: string): number {
    return this.bytes.get(caller) ?? 0;
  }
}

/** Calls the listener before each call of a method that writes, with the bytes of the chunk. */
function onWrite(response: Response, method: 'write' | 'end', listener: (bytes: number) => void): void {
  const write = response[method].bind(response) as (...values: unknown[]) => never;
  response[method] = (...values: unknown[]) => {
    const [chunk] = values;
    listener(typeof chunk === 'string' || chunk instanceof Uint8Array ? Buffer.byteLength(chunk) : 0);
    return write(...values);
  };
}
