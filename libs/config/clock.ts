/** The time of classes that wait, injected so that tests can advance it. */
export interface Clock {
  /** Milliseconds since 1970 by this machine's clock, which can be wrong or adjusted. */
  now(): number;
  /** Milliseconds of a monotonic clock, for durations. */
  elapsed(): number;
  /** Calls `run` once, after a delay. @returns a function that cancels it */
  after(milliseconds: number, run: () => void): () => void;
  /** Calls `run` at this interval. @returns a function that ends it */
  every(milliseconds: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
  /** The interval does not keep the process alive. */
  every(milliseconds, run) {
    const timer = setInterval(run, milliseconds).unref();
    return () => clearInterval(timer);
  },
};
