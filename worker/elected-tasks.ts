import { z } from 'zod';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { programId } from '#libs/config/program-id.js';
import { execute, queryRow, type Database } from '#libs/database/sql.js';

const TICK_MS = 1_000;
const RENEW_EVERY_MS = 2_000;
/** Seconds after which another worker is elected if the elected one has not renewed. */
const TERM_SECONDS = 6;

interface Task {
  everyMs: number;
  run: () => Promise<void>;
  /** By the clock's `elapsed()`. */
  dueAt: number;
  isRunning: boolean;
}

/** A run of a task that is not stored yet. */
interface TaskRun {
  name: string;
  /** By the clock's `elapsed()`. */
  at: number;
  milliseconds: number;
  error: string | null;
}

export interface ElectedTasksDeps {
  database: Database;
  onError: (error: Error) => void;
  clock?: Clock;
  /** Names this worker. */
  id?: string;
}

/**
 * Runs periodic tasks in one elected worker, so that ten workers do not ask the database ten times as often. The others check
 * every two seconds if the elected one is alive. A paused worker may go on after another was elected, so each task must be
 * safe to run twice at once.
 */
export class ElectedTasks {
  private readonly tasks = new Map<string, Task>();
  private readonly runs = new Map<string, TaskRun>();
  private readonly clock: Clock;
  private readonly id: string;
  private stopTicking: (() => void) | undefined;
  private electedUntil = -Infinity;
  private electAt = -Infinity;
  private isElecting = false;
  private lastElection: Promise<void> = Promise.resolve();

  constructor(private readonly deps: ElectedTasksDeps) {
    this.clock = deps.clock ?? systemClock;
    this.id = deps.id ?? programId;
  }

  get isElected(): boolean {
    return this.clock.elapsed() < this.electedUntil;
  }

  /** Resolves when the database has answered the last election. */
  get election(): Promise<void> {
    return this.lastElection;
  }

  add(name: string, everyMs: number, run: () => Promise<void>): void {
    this.tasks.set(name, { everyMs, run, dueAt: -Infinity, isRunning: false });
  }

  start(): void {
    this.tick();
    this.stopTicking = this.clock.every(TICK_MS, () => this.tick());
  }

  /** Lets another worker be elected at once. */
  async stop(): Promise<void> {
    this.stopTicking?.();
    await this.lastElection;
    if (!this.isElected) return;
    this.electedUntil = -Infinity;
    await execute(this.deps.database, `DELETE FROM maintenance_leader WHERE program = $1`, [this.id]).catch(
      this.deps.onError,
    );
  }

  private tick(): void {
    const now = this.clock.elapsed();
    if (now >= this.electAt && !this.isElecting) {
      this.electAt = now + RENEW_EVERY_MS;
      this.isElecting = true;
      const wasElected = this.isElected;
      this.lastElection = this.elect()
        .then(() => {
          if (!wasElected) this.runDue();
        }, this.deps.onError)
        .finally(() => (this.isElecting = false));
    }
    this.runDue();
  }

  private runDue(): void {
    if (!this.isElected) return;
    for (const [name, task] of this.tasks)
      if (!task.isRunning && this.clock.elapsed() >= task.dueAt) void this.runTask(name, task);
  }

  private async runTask(name: string, task: Task): Promise<void> {
    const startedAt = this.clock.elapsed();
    task.isRunning = true;
    task.dueAt = startedAt + task.everyMs;
    let error: string | null = null;
    try {
      await task.run();
    } catch (thrown) {
      error = (thrown as Error).message.slice(0, 500);
      this.deps.onError(thrown as Error);
    }
    task.isRunning = false;
    const at = this.clock.elapsed();
    this.runs.set(name, { name, at, milliseconds: Math.round(at - startedAt), error });
  }

  private async elect(): Promise<void> {
    const askedAt = this.clock.elapsed();
    const elected = this.isElected ? await this.renew() : await this.becomeElected();
    this.electedUntil = elected ? askedAt + TERM_SECONDS * 1_000 : -Infinity;
  }

  /** Renews the term and stores the last runs. @returns false if another worker was elected */
  private async renew(): Promise<boolean> {
    const runs = [...this.runs.values()];
    const now = this.clock.elapsed();
    const stored = JSON.stringify(runs.map((run) => ({ ...run, secondsAgo: (now - run.at) / 1_000 })));
    const renewed = await execute(this.deps.database, RENEW_TERM, [this.id, TERM_SECONDS, stored]);
    // A task may have run again meanwhile.
    for (const run of runs) if (this.runs.get(run.name) === run) this.runs.delete(run.name);
    return renewed > 0;
  }

  private async becomeElected(): Promise<boolean> {
    const { database } = this.deps;
    const current = await queryRow(
      database,
      currentSchema,
      `SELECT until < now() AS "isOver" FROM maintenance_leader`,
    );
    if (current && !current.isOver) return false;
    if ((await execute(database, TAKE_TERM, [this.id, TERM_SECONDS])) === 0) return false;
    // All are due at once: a worker that starts may have other settings, such as a shorter retention.
    for (const task of this.tasks.values()) task.dueAt = -Infinity;
    return true;
  }
}

const currentSchema = z.object({ isOver: z.boolean() });

const TAKE_TERM = `INSERT INTO maintenance_leader (program, until) VALUES ($1, now() + make_interval(secs => $2))
  ON CONFLICT (id) DO UPDATE SET program = excluded.program, until = excluded.until
  WHERE maintenance_leader.until < now()`;

const RENEW_TERM = `WITH renewed AS (
    UPDATE maintenance_leader SET until = now() + make_interval(secs => $2) WHERE program = $1 RETURNING id),
  runs AS (
    INSERT INTO maintenance_tasks (name, program, ran_at, milliseconds, error)
    SELECT name, $1, now() - make_interval(secs => "secondsAgo"), milliseconds, error
    FROM renewed, jsonb_to_recordset($3::jsonb) AS run (name text, "secondsAgo" float, milliseconds integer, error text)
    ON CONFLICT (name) DO UPDATE SET program = excluded.program,
      ran_at = CASE WHEN excluded.error IS NULL THEN excluded.ran_at ELSE maintenance_tasks.ran_at END,
      milliseconds = excluded.milliseconds, error = excluded.error WHERE maintenance_tasks.ran_at < excluded.ran_at)
  SELECT FROM renewed`;
