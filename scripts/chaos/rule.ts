import type { Rows } from './evidence.ts';
import type { UserLog } from './log.ts';

export interface Evidence {
  users: UserLog[];
  /** Absent if no operator acted. */
  operator?: UserLog | undefined;
  rows: Rows;
}

/** @returns violations as sentences */
export type Rule = (evidence: Evidence) => string[];

export const rowsById = ({ rows }: Evidence) => new Map(rows.jobs.map((job) => [job.id, job]));

/** False if the account is deleted, which is possible after an unanswered deletion. */
export const hasAccount = ({ rows }: Evidence, { id }: UserLog) => rows.users.some((user) => user.id === id);

export const present = (evidence: Evidence) => evidence.users.filter((user) => hasAccount(evidence, user));

/** Idempotency keys with more than one row. */
export function repeatedKeys(rows: { userId: string; key: string | null }[], what: string): string[] {
  const keyed = rows.filter(({ key }) => key);
  return [...Map.groupBy(keyed, ({ userId, key }) => `${key} of ${userId}`)].flatMap(([key, found]) =>
    found.length > 1 ? [`the key ${key} has ${found.length} ${what}`] : [],
  );
}
