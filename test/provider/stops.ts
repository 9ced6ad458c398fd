/** Where streams wait until a test lets them go on. */
export class Stops {
  private readonly waiting = new Set<() => void>();

  /** How many wait now. */
  get count(): number {
    return this.waiting.size;
  }

  /** Waits to be let go on, or until the request is over. */
  async stop(over: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.add(resolve);
    await Promise.race([promise, over]);
    this.waiting.delete(resolve);
  }

  /** Lets all that wait go on to their next stop. */
  release(): void {
    for (const goOn of this.waiting) goOn();
    this.waiting.clear();
  }
}
