import type { Fault, FaultName } from './plan.ts';

/** The running product with its services: what chaos disturbs, and where the checker looks. */
export interface World {
  name: string;
  /** The addresses of the apis. */
  origins: string[];
  publicUrl: string;
  /** The faults that this backend can have. */
  faults: FaultName[];
  /** Disturbs, waits for as long as the fault lasts, and restores. */
  inject(fault: Fault): Promise<void>;
  /** The rows of a query, asked again while the database is away. */
  query<Row extends object>(sql: string): Promise<Row[]>;
  /** The names of all objects in the store. */
  storedObjects(): Promise<string[]>;
  /** What the queues still hold. */
  queueEntries(): Promise<string[]>;
  /** Every place that holds one of these texts. */
  traces(texts: string[]): Promise<string[]>;
  /** Programs that ended by themselves, or wrongly, and errors in their logs that nobody may cause. */
  problems(): string[];
  /** What each program wrote. */
  logs(): Record<string, string>;
  /** Has all retention and sweeps run, as if two days had passed. */
  passTwoDays(): Promise<void>;
  close(): Promise<void>;
}
