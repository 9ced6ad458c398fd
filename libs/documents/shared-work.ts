import { untilAborted } from '#libs/resilience/until-aborted.js';

interface Piece<Result, Progress> {
  listeners: Set<(progress: Progress) => void>;
  result: Promise<Result>;
  stop: AbortController;
  waiting: number;
}

/** Runs work once for all concurrent callers with the same key, and aborts it when all of them have aborted. */
export class SharedWork<Result, Progress = never> {
  private readonly pieces = new Map<string, Piece<Result, Progress>>();

  /** Joins the running work of the key, or starts it. @throws the work's error; the reason of `signal` if that is aborted */
  async run(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal, publish: (progress: Progress) => void) => Promise<Result>,
    onProgress: (progress: Progress) => void = () => undefined,
  ): Promise<Result> {
    signal.throwIfAborted();
    const piece = this.pieces.get(key) ?? this.start(key, work);
    piece.waiting += 1;
    piece.listeners.add(onProgress);
    try {
      return await untilAborted(piece.result, signal);
    } finally {
      piece.listeners.delete(onProgress);
      piece.waiting -= 1;
      if (piece.waiting === 0) {
        this.forget(key, piece);
        piece.stop.abort();
      }
    }
  }

  private start(
    key: string,
    work: (signal: AbortSignal, publish: (progress: Progress) => void) => Promise<Result>,
  ): Piece<Result, Progress> {
    const stop = new AbortController();
    const listeners: Piece<Result, Progress>['listeners'] = new Set();
    const publish = (progress: Progress) => listeners.forEach((listener) => listener(progress));
    const piece = { result: work(stop.signal, publish), stop, listeners, waiting: 0 };
    this.pieces.set(key, piece);
    const forget = () => this.forget(key, piece);
    piece.result.then(forget, forget);
    return piece;
  }

  private forget(key: string, piece: Piece<Result, Progress>): void {
    if (this.pieces.get(key) === piece) this.pieces.delete(key);
  }
}
