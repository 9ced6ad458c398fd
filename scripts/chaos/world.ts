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
  /** The names of all objects in the store. */
  storedObjects(): Promise<string[]>;
  /** Remaining entries of the queues. */
  queueEntries(): Promise<string[]>;
  /** All places that contain one of the texts. */
  traces(texts: string[]): Promise<string[]>;
  /** Unexpected ends of programs, wrong exit codes, and errors in logs that must never occur. */
  problems(): string[];
  /** The output of each program. */
  logs(): Record<string, string>;
  /** Runs all retention and sweeps as if two days had passed. */
  passTwoDays(): Promise<void>;
  close(): Promise<void>;
}
