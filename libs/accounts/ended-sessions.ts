/**
 * The sessions that ended while a token of theirs may still be good. In memory, so that looking costs nothing: a process
 * that was not there when a session ended lets its last token end by itself.
 */
export class EndedSessions {
  readonly #endedAt = new Map<string, number>();

  /**
   * @param tokenLife milliseconds that a token is good for at most
   * @param now milliseconds since 1970
   */
  constructor(
    private readonly tokenLife: number,
    private readonly now: () => number = Date.now,
  ) {}

  add(sessionId: string): void {
    for (const [id, endedAt] of this.#endedAt) {
      if (endedAt > this.now() - this.tokenLife) break;
      this.#endedAt.delete(id);
    }
    this.#endedAt.set(sessionId, this.now());
  }

  has(sessionId: string): boolean {
    return this.#endedAt.has(sessionId);
  }
}
