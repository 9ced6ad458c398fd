export interface TimeLimits {
  /** PostgreSQL cancels a statement after this time. */
  statementMs: number;
  /** PostgreSQL cancels a statement that waits for a lock for this time. */
  lockMs: number;
  /**
   * Milliseconds after `statementMs`. The connection is then closed if a statement has no answer, because a server that hangs
   * cancels none. Null: never.
   */
  graceMs: number | null;
}

/** Limits of the product's connections. */
export const TIME_LIMITS = { statementMs: 30_000, lockMs: 10_000, graceMs: 5_000 } satisfies TimeLimits;
