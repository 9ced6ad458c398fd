/** Stops at which streams wait until the test releases them. */
export class Stops {
  private readonly waiting = new Set<() => void>();

  /** Streams that wait. */
  get count(): number {
    return this.waiting.size;
  }

  /** Waits for `release`, or for the end of the request. */
  async stop(over: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.add(resolve);
    await Promise.race([promise, over]);
    this.waiting.delete(resolve);
  }

  /** Lets all waiting streams continue to their next stop. */
  release(): void {
    for (const goOn of this.waiting) goOn();
    this.waiting.clear();
  }
}
