import { z } from 'zod';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { EngineName } from '#libs/contract/engine.js';
import { queueNames } from '#libs/contract/jobs.js';
import type { Expectation } from '#libs/contract/progress.js';
import { queryRows, type Database } from '#libs/database/sql.js';

/** Maximum and minimum number of recent runs of the same tool, engine and size class for an estimate. */
const RECENT_RUNS = 40;
const FEWEST_RUNS = 5;
/** Number of a queue's newest succeeded jobs that are searched for these runs. */
const RECENT_JOBS = 400;
const CACHE_MS = 20_000;

/** Estimates durations of jobs: the quartiles of recent runs of the same tool, engine and size class. */
export class RunTimes {
  private cached: { readAt: number; times: Promise<Map<string, Expectation>> } | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * Null if there are too few recent runs. Failed reads are cached too, so that an outage does not repeat the query for
   * each job.
   */
  async expect(tool: string, engine: EngineName, size: number): Promise<Expectation | null> {
    return (await this.recent()).get(keyOf(tool, engine, size)) ?? null;
  }

  private recent(): Promise<Map<string, Expectation>> {
    const { cached, clock } = this;
    if (cached && clock.elapsed() - cached.readAt < CACHE_MS) return cached.times;
    const times = readRunTimes(this.database);
    this.cached = { readAt: clock.elapsed(), times };
    return times;
  }
}

const keyOf = (tool: string, engine: string, size: number) => `${tool} ${engine} ${size}`;

/** Excludes jobs with several attempts and batch pictures, since their durations include waiting. */
async function readRunTimes(database: Database): Promise<Map<string, Expectation>> {
  const found = await queryRows(
    database,
    z.object({ tool: z.string(), engine: z.string(), size: z.number(), quartiles: z.array(z.number()) }),
    `SELECT tool, engine, size, percentile_cont(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY seconds) AS quartiles
     FROM (
       SELECT tool, engine, size, extract(epoch FROM finished_at - started_at)::float AS seconds,
         row_number() OVER (PARTITION BY tool, engine, size ORDER BY finished_at DESC) AS nth
       FROM unnest($1::text[]) AS named(name) CROSS JOIN LATERAL (
         SELECT tool, engine, size, attempts, batch_id, started_at, finished_at FROM jobs
         WHERE queue = name AND status = 'succeeded' ORDER BY finished_at DESC LIMIT ${RECENT_JOBS}) recent
       WHERE attempts = 1 AND engine IS NOT NULL AND batch_id IS NULL
     ) numbered
     WHERE nth <= ${RECENT_RUNS} GROUP BY tool, engine, size HAVING count(*) >= ${FEWEST_RUNS}`,
    [queueNames],
  );
  return new Map(
    found.map(({ tool, engine, size, quartiles: [from = 0, to = 0] }) => [
      keyOf(tool, engine, size),
      { from, to },
    ]),
  );
}
