/** Time as classes see it that wait for it, so that a test can pass it without waiting. */
export interface Clock {
  /** Milliseconds since 1970 by this machine's clock, which can be wrong or be set. */
  now(): number;
  /** Milliseconds since some moment, which no setting of the machine's clock changes: for durations. */
  elapsed(): number;
  /** Calls `run` once, after so many milliseconds. @returns a function that cancels it */
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
  /** An interval alone does not keep a process alive. */
  every(milliseconds, run) {
    const timer = setInterval(run, milliseconds).unref();
    return () => clearInterval(timer);
  },
};
