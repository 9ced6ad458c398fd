import { statements } from './migration.js';

/** The place of a waiting job in its queue: its lane, and its turn among all persons of that lane. */
export class FairQueue1700000000008 extends statements(
  // The defaults are for jobs that the version before this one still stores during a deployment.
  `ALTER TABLE jobs ADD COLUMN lane smallint NOT NULL DEFAULT 2 CHECK (lane BETWEEN 0 AND 2),
    ADD COLUMN turn integer NOT NULL DEFAULT 0`,
  `UPDATE jobs SET lane = 1 WHERE priority = 'premium' AND status IN ('queued', 'running')`,
  `CREATE INDEX jobs_turns ON jobs (queue, lane, turn, created_at, id) INCLUDE (tool) WHERE status = 'queued'`,
  `DROP INDEX jobs_waiting`,
) {}
