interface Waiting {
  user: string;
  start: () => void;
}

/**
 * Slots of a process for costly work. A user may hold some of them, and a free slot goes to the waiting user who holds the
 * fewest; among these, to the first.
 */
export class FairSlots {
  private readonly held = new Map<string, number>();
  private readonly waiting: Waiting[] = [];

  constructor(
    private free: number,
    private readonly perUser: number,
  ) {}

  /**
   * Waits for a slot.
   * @returns a function that releases the slot
   * @throws the signal's reason if it is aborted
   */
  async take(user: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.mayHold(user)) this.hold(user);
    else await this.wait(user, signal);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.release(user);
    };
  }

  private heldBy(user: string): number {
    return this.held.get(user) ?? 0;
  }

  private mayHold(user: string): boolean {
    return this.free > 0 && this.heldBy(user) < this.perUser;
  }

  private hold(user: string): void {
    this.free -= 1;
    this.held.set(user, this.heldBy(user) + 1);
  }

  private release(user: string): void {
    // The released slot still counts, so that users alternate if there is only one.
    const byHeld = this.waiting.toSorted((a, b) => this.heldBy(a.user) - this.heldBy(b.user));
    this.free += 1;
    const left = this.heldBy(user) - 1;
    if (left > 0) this.held.set(user, left);
    else this.held.delete(user);
    const next = byHeld.find(({ user: other }) => this.mayHold(other));
    if (!next) return;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.hold(next.user);
    next.start();
  }

  private wait(user: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(own), 1);
        reject(signal.reason as Error);
      };
      const own: Waiting = {
        user,
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      this.waiting.push(own);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
