import { statements } from './migration.js';

/** Signs of life of the programs, written by their health checks. */
export class Alerts1700000000051 extends statements(
  `CREATE TABLE heartbeats (name text PRIMARY KEY, beat_at timestamptz NOT NULL)`,
) {}
