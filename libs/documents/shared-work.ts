interface Piece<Result> {
  result: Promise<Result>;
  stop: AbortController;
  waiting: number;
}

/** Work that several callers may want at once: it is done once, and stopped when nobody waits for it any more. */
export class SharedWork<Result> {
  private readonly pieces = new Map<string, Piece<Result>>();

  /** Joins the work of this key, or starts it. @throws what the work throws, or this signal's reason */
  async run(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const piece = this.pieces.get(key) ?? this.start(key, work);
    piece.waiting += 1;
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([piece.result, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
      piece.waiting -= 1;
      if (piece.waiting === 0) {
        this.forget(key, piece);
        piece.stop.abort();
      }
    }
  }

  private start(key: string, work: (signal: AbortSignal) => Promise<Result>): Piece<Result> {
    const stop = new AbortController();
    const piece = { result: work(stop.signal), stop, waiting: 0 };
    this.pieces.set(key, piece);
    const forget = () => this.forget(key, piece);
    piece.result.then(forget, forget);
    return piece;
  }

  private forget(key: string, piece: Piece<Result>): void {
    if (this.pieces.get(key) === piece) this.pieces.delete(key);
  }
}
