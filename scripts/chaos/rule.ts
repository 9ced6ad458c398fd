import type { Rows } from './evidence.ts';
import type { PersonLog } from './log.ts';

export interface Evidence {
  people: PersonLog[];
  rows: Rows;
}

/** Returns the promises that it found broken, in sentences. */
export type Rule = (evidence: Evidence) => string[];

export const rowsById = ({ rows }: Evidence) => new Map(rows.jobs.map((job) => [job.id, job]));

/** Whether the account is there; one whose deletion was not answered may be gone. */
export const isThere = ({ rows }: Evidence, { id }: PersonLog) => rows.users.some((user) => user.id === id);

export const present = (evidence: Evidence) => evidence.people.filter((person) => isThere(evidence, person));
