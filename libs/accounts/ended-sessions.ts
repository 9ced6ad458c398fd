/**
 * Ended sessions whose tokens may not have expired yet. The list is in memory: a process that starts later accepts the
 * last token of an ended session until it expires.
 */
export class EndedSessions {
  private readonly endedAt = new Map<string, number>();

  /** @param tokenLifetime the longest time that a token is valid, in milliseconds */
  constructor(
    private readonly tokenLifetime: number,
    private readonly now: () => number = Date.now,
  ) {}

  add(sessionId: string): void {
    for (const [id, endedAt] of this.endedAt) {
      if (endedAt > this.now() - this.tokenLifetime) break;
      this.endedAt.delete(id);
    }
    this.endedAt.set(sessionId, this.now());
  }

  has(sessionId: string): boolean {
    return this.endedAt.has(sessionId);
  }
}
