import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultName } from './plan.ts';

/** Ends the connections of all programs to the database. */
export const END_CONNECTIONS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()';

/** The running product with its services. */
export interface World {
  name: string;
  /** The addresses of the apis. */
  origins: string[];
  publicUrl: string;
  /** The possible faults of this backend. */
  faults: FaultName[];
  /** Injects a fault, waits for its duration, and restores. */
  inject(fault: Fault): Promise<void>;
  /** The rows of a query, which is repeated while the database is unavailable. */
  query<Row extends object>(sql: string): Promise<Row[]>;
  storedObjects(): Promise<string[]>;
  queueEntries(): Promise<string[]>;
  traces(texts: string[]): Promise<string[]>;
  /** Unexpected ends of programs, wrong exit codes, and errors in logs that must never occur. */
  problems(): string[];
  /** The output of each program. */
  logs(): Record<string, string>;
  /** Runs all retention and sweeps as if two days had passed. */
  passTwoDays(): Promise<void>;
  close(): Promise<void>;
}

/** Times that retention depends on. */
const TIMES = {
  creations: ['deleted_at'],
  objects: ['created_at', 'stored_at', 'removed_at'],
  batches: ['created_at'],
  flows: ['created_at'],
  jobs: ['created_at', 'finished_at', 'result_deleted_at'],
  notebooks: ['updated_at'],
  pdf_documents: ['used_at'],
  previews: ['created_at'],
};

/** Moves the times two days into the past. */
export async function ageRows(query: World['query']): Promise<void> {
  for (const [table, columns] of Object.entries(TIMES)) {
    const changes = columns.map((column) => `${column} = ${column} - interval '2 days'`);
    await query(`UPDATE ${table} SET ${changes.join(', ')} RETURNING 1 AS changed`);
  }
}

const FORBIDDEN_LINE = /unhandled|uncaught|out of memory/i;

/** Log lines that must never occur. */
export const forbiddenLines = (program: string, output: string): string[] =>
  output
    .split('\n')
    .filter((line) => FORBIDDEN_LINE.test(line))
    .map((line) => `${program} logged: ${line.slice(0, 1_000)}`);

const lastFaults = new Map<unknown, Promise<unknown>>();

/** Runs the faults of one target, a program or a service, one after the other. */
export function inTurn(target: unknown, fault: () => Promise<unknown>): Promise<unknown> {
  const next = (lastFaults.get(target) ?? Promise.resolve()).then(fault);
  lastFaults.set(
    target,
    next.catch(() => undefined),
  );
  return next;
}

/** Begins a fault of a target, and ends it after some milliseconds. */
export const during = (
  target: unknown,
  milliseconds: number,
  begin: () => unknown,
  end: () => unknown,
): Promise<unknown> =>
  inTurn(target, async () => {
    await begin();
    await pause(milliseconds);
    await end();
  });
