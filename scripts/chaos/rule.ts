import type { Rows } from './evidence.ts';
import type { UserLog } from './log.ts';

export interface Evidence {
  users: UserLog[];
  rows: Rows;
}

/** @returns violations as sentences */
export type Rule = (evidence: Evidence) => string[];

export const rowsById = ({ rows }: Evidence) => new Map(rows.jobs.map((job) => [job.id, job]));

/** Whether the account exists; after an unanswered deletion it may be deleted. */
export const hasAccount = ({ rows }: Evidence, { id }: UserLog) => rows.users.some((user) => user.id === id);

export const present = (evidence: Evidence) => evidence.users.filter((user) => hasAccount(evidence, user));
