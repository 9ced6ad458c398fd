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
 * A budget of memory. Each task reserves its maximum before it starts and releases it when it ends. Tasks that do not fit wait
 * in a first-in, first-out queue, so that large tasks are not starved.
 */
export class MemoryBudget {
  private used = 0;
  private readonly line: Waiting[] = [];

  /**
   * @param total in bytes
   * @param maxWaiting the maximum number of waiting tasks
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

  /** Whether this many bytes are free without waiting. */
  fits(bytes: number): boolean {
    return this.line.length === 0 && this.used + bytes <= this.total;
  }

  /**
   * Waits for memory.
   * @returns a function that releases the memory
   * @throws BudgetTooSmall, BudgetQueueFull; the signal's reason when it is aborted while waiting
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
