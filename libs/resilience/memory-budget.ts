export class BudgetTooSmall extends Error {
  override name = 'BudgetTooSmall';
}

export class BudgetQueueFull extends Error {
  override name = 'BudgetQueueFull';
}

interface Waiting {
  bytes: number;
  start: () => void;
}

/**
 * A budget of memory. Each task reserves its maximum memory before it starts and releases the memory when it ends. Tasks
 * that do not fit wait in the order of their arrival, even if a later task would fit, so that large tasks are not starved.
 */
export class MemoryBudget {
  private used = 0;
  private readonly line: Waiting[] = [];

  /**
   * @param total size of the budget in bytes
   * @param maxWaiting maximum number of waiting tasks
   */
  constructor(
    private total: number,
    private readonly maxWaiting = Infinity,
  ) {}

  resize(total: number): void {
    this.total = total;
  }

  get hasWaiting(): boolean {
    return this.line.length > 0;
  }

  /** True if `take` would not have to wait for this many bytes. */
  fits(bytes: number): boolean {
    return this.line.length === 0 && this.used + bytes <= this.total;
  }

  /**
   * Reserves memory; waits until there is enough.
   * @returns a function that releases the memory
   * @throws BudgetTooSmall if `bytes` exceeds the whole budget; BudgetQueueFull; the signal's reason if it is aborted
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
    if (this.line.length >= this.maxWaiting) throw new BudgetQueueFull('Too many wait for memory.');
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
