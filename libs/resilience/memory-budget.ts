/** What is asked for is more than the whole budget. */
export class BudgetTooSmall extends Error {
  override name = 'BudgetTooSmall';
}

/** Too many wait for memory already. */
export class BudgetLineFull extends Error {
  override name = 'BudgetLineFull';
}

interface Waiting {
  bytes: number;
  start: () => void;
}

/**
 * Memory that is counted: each task takes what it may use before it starts and gives it back when it has ended. Tasks
 * that do not fit wait in line; none overtakes another, so that a large one gets its turn.
 */
export class MemoryBudget {
  private used = 0;
  private readonly line: Waiting[] = [];

  /**
   * @param total in bytes
   * @param maxWaiting how many may wait
   */
  constructor(
    private total: number,
    private readonly maxWaiting = Infinity,
  ) {}

  /** Sets another total, for the tasks to come. */
  resize(total: number): void {
    this.total = total;
  }

  /** Whether a task waits for memory. */
  get hasWaiting(): boolean {
    return this.line.length > 0;
  }

  /** Whether so many bytes could be taken at once. */
  fits(bytes: number): boolean {
    return this.line.length === 0 && this.used + bytes <= this.total;
  }

  /**
   * Waits for memory.
   * @returns a function that gives the memory back
   * @throws BudgetTooSmall, BudgetLineFull; the signal's reason when it is aborted while waiting
   */
  async take(bytes: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (bytes > this.total) throw new BudgetTooSmall('This needs more memory than there is.');
    if (this.line.length > 0 || this.used + bytes > this.total) await this.wait(bytes, signal);
    else this.used += bytes;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.used -= bytes;
      this.startNext();
    };
  }

  private wait(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.line.length >= this.maxWaiting) throw new BudgetLineFull('Too many wait for memory.');
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.line.splice(this.line.indexOf(waiting), 1);
        reject(signal?.reason as Error);
        this.startNext();
      };
      const waiting: Waiting = {
        bytes,
        start: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      this.line.push(waiting);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private startNext(): void {
    for (let next = this.line[0]; next && this.used + next.bytes <= this.total; next = this.line[0]) {
      this.line.shift();
      this.used += next.bytes;
      next.start();
    }
  }
}
