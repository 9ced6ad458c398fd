import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#libs/config/clock.js';

interface Timer {
  at: number;
  every: number | null;
  run: () => void;
}

/** Turns of the event loop that the work of a timer may take, without input and output. */
const TURNS = 5;

/** A clock that stands still until a test advances or sets it. */
export class TestClock implements Clock {
  private readonly timers = new Set<Timer>();
  private time = Date.now();
  private offset = 0;

  now(): number {
    return this.time + this.offset;
  }

  elapsed(): number {
    return this.time;
  }

  /** Sets the clock forward or back, as a machine's is set: no timer runs earlier or later for that. */
  set(milliseconds: number): void {
    this.offset += milliseconds;
  }

  after(milliseconds: number, run: () => void): () => void {
    return this.add({ at: this.time + milliseconds, every: null, run });
  }

  every(milliseconds: number, run: () => void): () => void {
    return this.add({ at: this.time + milliseconds, every: milliseconds, run });
  }

  /** Runs all timers that are due within this time, in order, each at its own time. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    for (let next = this.next(end); next; next = this.next(end)) {
      this.time = next.at;
      if (next.every === null) this.timers.delete(next);
      else next.at += next.every;
      next.run();
      await settle();
    }
    this.time = end;
    await settle();
  }

  private next(end: number): Timer | undefined {
    return [...this.timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
  }

  private add(timer: Timer): () => void {
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
}
