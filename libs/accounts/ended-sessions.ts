/**
 * Ended sessions whose tokens must be rejected although they have not expired. The list is in memory only, so a process that
 * starts after the end of a session accepts the session's last token until it expires.
 */
export class EndedSessions {
  private readonly endedAt = new Map<string, number>();

  /** @param tokenLifetime maximum lifetime of a token in milliseconds */
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
