import type { RequestHandler, Response } from 'express';
import { AppError } from '#libs/contract/errors.js';

/** Milliseconds after which an answer of which nothing moves is ended. Node.js counts what the kernel takes as moving. */
const STALLED_MS = 30_000;
/** Maximum bytes of answers that one caller has not read. Thirty pages of long texts. */
const UNSENT_MAX_BYTES = 8 * 2 ** 20;

/**
 * Ends answers that are not read, which would occupy memory and connections. Applies while a chunk waits for the client,
 * and once an answer is written; not to a request that waits for its job. Must be mounted after the compression, which ends
 * an answer only when the client has read it.
 */
export const endStalledAnswers =
  (milliseconds = STALLED_MS): RequestHandler =>
  (request, response, next) => {
    const { socket } = request;
    let isWritten = false;
    const limit = () => void socket.setTimeout(milliseconds);
    onWrite(response, 'end', () => {
      isWritten = true;
      limit();
    });
    onWrite(response, 'write', undefined, (isTaken) => {
      if (!isTaken) limit();
    });
    response.on('drain', () => {
      if (!isWritten) socket.setTimeout(0);
    });
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

/**
 * Calls `before` with the bytes of each chunk that a method writes, and `after` with what the method returns: for `write`,
 * false if the chunk waits.
 */
function onWrite(
  response: Response,
  method: 'write' | 'end',
  before?: (bytes: number) => void,
  after?: (returned: unknown) => void,
): void {
  const write = response[method].bind(response) as (...values: unknown[]) => never;
  response[method] = (...values: unknown[]) => {
    const [chunk] = values;
    before?.(typeof chunk === 'string' || chunk instanceof Uint8Array ? Buffer.byteLength(chunk) : 0);
    const returned = write(...values);
    after?.(returned);
    return returned;
  };
}
