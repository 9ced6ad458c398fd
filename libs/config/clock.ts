/** Time and timers, injected so that tests can advance the time. */
export interface Clock {
  /** Milliseconds since 1970 by this machine's clock, which may jump. Use {@link elapsed} for durations. */
  now(): number;
  /** Milliseconds of a monotonic clock with an arbitrary start. */
  elapsed(): number;
  /** Calls `run` once, after a delay. @returns a function that cancels it */
  after(milliseconds: number, run: () => void): () => void;
  /** Calls `run` repeatedly. @returns a function that stops it */
  every(milliseconds: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
  /** The timer does not keep the process alive. */
  every(milliseconds, run) {
    const timer = setInterval(run, milliseconds).unref();
    return () => clearInterval(timer);
  },
};
