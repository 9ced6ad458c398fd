import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { monthOf } from '#libs/billing/credits.js';
import type { Budgets } from '#libs/config/budgets.js';
import type { Clock } from '#libs/config/clock.js';
import { queueNames } from '#libs/contract/jobs.js';
import { budgetTitle, readBudgetRatios, WARN_FROM, type BudgetRatio } from '#libs/costs/budget-watch.js';
import { PausedQueueEntity } from '#libs/database/entities/jobs.js';
import { limitedRead } from '#libs/database/limited-read.js';
import { queryRows, type Database } from '#libs/database/sql.js';
import type { Checks, Readiness } from '#libs/health/readiness.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { readQueueStates, readSlots } from '#libs/scheduling/queue-metrics.js';
import type { DiskSpace } from '#libs/storage/disk-space.js';
import type { AlertName, Condition } from './alert-rules.js';

const MB = 1024 ** 2;
const GB = 1024 ** 3;
/** The host's disk is low below this part of it, or below this size if that is less. */
const [HOST_DISK_PART, HOST_DISK_BYTES] = [0.05, 5 * GB];
/** An api writes every 5 seconds. */
const API_SILENT_SECONDS = 20;
/** Tasks that run every hour, and whose failure users or the database notice only later. */
export const WATCHED_TASKS = ['retention', 'partitions'];
const TASK_OVERDUE_SECONDS = 3 * 3_600;
const PREMIUM_WAIT_SECONDS = 60;
/** As a multiple of the longest wait that standard users are promised. 15 minutes by default, as in ops/alerts.yml. */
const STARVED_AFTER = 1.5;
/** Part of connections or memory. */
const FULL_FROM = 0.9;
const BUDGETS_EVERY_MS = 60_000;
/** Less than between two passes. */
const BUDGETS_WITHIN_MS = 10_000;

export interface SharedSources {
  database: Database;
  queue: Pick<JobQueue, 'memoryUsed'>;
  standardWaitSeconds: number;
}

/** Conditions of all programs, read from the database and Redis. */
export async function readSharedConditions(of: SharedSources): Promise<Condition[]> {
  const { database, queue, standardWaitSeconds } = of;
  const [states, slots, paused, failing, silent, connections, memory] = await Promise.all([
    readQueueStates(database),
    readSlots(database),
    database.getRepository(PausedQueueEntity).find(),
    readFailingTools(database),
    readSilent(database),
    readConnections(database),
    // Without an answer, the queue is not ready, which has an alert of its own.
    queue.memoryUsed().catch(() => 0),
  ]);
  const isPaused = (queue: string) => paused.some((one) => one.queue === queue);
  return [
    ...queueNames
      .filter((queue) => !slots.some((one) => one.queue === queue && one.slots > 0))
      .map((queue): Condition => ({
        name: 'NoWorker',
        labels: { queue },
        summary: `No worker serves the queue ${queue}.`,
      })),
    ...states.flatMap(({ queue, priority, oldest }): Condition[] => {
      const isPremium = priority === 'premium';
      const name = isPremium ? 'QueueSlow' : 'QueueStarved';
      if (
        isPaused(queue) ||
        oldest <= (isPremium ? PREMIUM_WAIT_SECONDS : STARVED_AFTER * standardWaitSeconds)
      )
        return [];
      const summary = `A ${priority} job has waited ${Math.round(oldest / 60)} minutes in ${queue}.`;
      return [{ name, labels: { queue }, summary }];
    }),
    ...paused.map(({ queue, reason }): Condition => ({
      name: 'QueuePaused',
      labels: { queue },
      summary: `The queue ${queue} is paused${reason && `: ${reason}`}.`,
    })),
    ...failing.map(({ tool, failed, ended }): Condition => ({
      name: 'JobsFail',
      labels: { tool },
      summary: `${failed} of the last ${ended} jobs of ${tool} failed.`,
    })),
    ...silent.map((name): Condition =>
      name === 'api'
        ? { name: 'ApiDown', labels: {}, summary: 'No api answers.' }
        : {
            name: 'MaintenanceOverdue',
            labels: { task: name },
            summary: `The maintenance task ${name} has not succeeded for three hours.`,
          },
    ),
    ...fullCondition('DatabaseConnections', connections, 'of the connections of the database are in use'),
    ...fullCondition('RedisMemory', memory, 'of the memory of Redis are in use'),
  ];
}

function fullCondition(name: AlertName, used: number, what: string): Condition[] {
  return used > FULL_FROM ? [{ name, labels: {}, summary: `${Math.round(used * 100)} % ${what}.` }] : [];
}

/**
 * Conditions of the budgets. Their query reads all calls of the month, so it is read once a minute, and its failure does not
 * hide other conditions.
 */
export class BudgetConditions {
  private latest: Condition[] = [];
  private readAt = -Infinity;

  constructor(
    private readonly dataSource: DataSource,
    private readonly budgets: Budgets,
    private readonly clock: Clock,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Never rejects. */
  async read(): Promise<Condition[]> {
    const now = this.clock.elapsed();
    if (now - this.readAt < BUDGETS_EVERY_MS) return this.latest;
    this.readAt = now;
    try {
      const month = monthOf(new Date(this.clock.now()));
      const limits = { milliseconds: BUDGETS_WITHIN_MS, signal: new AbortController().signal };
      const used = await limitedRead(this.dataSource, limits, (transaction) =>
        readBudgetRatios(transaction, this.budgets, month),
      );
      this.latest = used.flatMap(toBudgetConditions);
    } catch (error) {
      this.onError(error as Error);
    }
    return this.latest;
  }
}

/** One user's budget that is used up concerns nobody else. */
function toBudgetConditions(of: BudgetRatio): Condition[] {
  const { budget, userId, ratio } = of;
  const title = budgetTitle(of);
  const labels = { budget, ...(userId !== undefined && { user: userId }) };
  const condition = (name: AlertName, summary: string): Condition => ({ name, labels, summary });
  return [
    ...(ratio >= WARN_FROM
      ? [condition('BudgetNearlyUsed', `${title} is at ${Math.floor(ratio * 100)} %.`)]
      : []),
    ...(ratio >= 1 && budget !== 'user' ? [condition('BudgetUsedUp', `${title} is used up.`)] : []),
  ];
}

/** Tools of which more than a tenth of over ten jobs failed within 15 minutes. The index on the age limits the scan. */
const readFailingTools = (database: Database) =>
  queryRows(
    database,
    z.object({ tool: z.string(), failed: z.number(), ended: z.number() }),
    `SELECT * FROM (
       SELECT tool, (count(*) FILTER (WHERE status = 'failed'))::integer AS failed, count(*)::integer AS ended
       FROM jobs WHERE created_at > now() - interval '1 hour' AND finished_at > now() - interval '15 minutes'
       GROUP BY tool) AS tools
     WHERE ended > 10 AND failed > 0.1 * ended`,
  );

/** The used part of the connections that PostgreSQL accepts. */
const readConnections = async (database: Database): Promise<number> => {
  const [row] = await queryRows(
    database,
    z.object({ used: z.number() }),
    `SELECT count(*)::float / current_setting('max_connections')::integer AS used FROM pg_stat_activity WHERE datid IS NOT NULL`,
  );
  return row!.used;
};

/** `api` if no api runs, and tasks that are overdue. */
const readSilent = async (database: Database): Promise<string[]> => {
  const rows = await queryRows(
    database,
    z.object({ name: z.string() }),
    `SELECT 'api' AS name WHERE NOT EXISTS (
       SELECT FROM programs WHERE kind = 'api' AND seen_at > now() - make_interval(secs => ${API_SILENT_SECONDS}))
     UNION ALL
     SELECT name FROM maintenance_tasks
     WHERE name = ANY ($1) AND ran_at < now() - make_interval(secs => ${TASK_OVERDUE_SECONDS})`,
    [WATCHED_TASKS],
  );
  return rows.map(({ name }) => name);
};

/** Conditions that only this process sees. Without the database, see `DatabaseOutage`. */
export async function readOwnConditions(
  program: string,
  checks: Checks,
  readiness: Readiness,
  disk: DiskSpace,
): Promise<Condition[]> {
  const conditions: Condition[] = (['queue', 'storage'] as const)
    .filter((service) => !checks[service])
    .map((service) => serviceNotReady(service, readiness.problemOf(service)));
  const labels = { job: program, instance: hostname() };
  const { free, reserved } = await disk.measure();
  if (free < 2 * reserved)
    conditions.push({ name: 'DiskLow', labels, summary: `The disk for files has ${inMb(free)} left.` });
  // In a container, the root is on the host's disk, unlike a DATA_DIR in memory.
  const { bavail, blocks, bsize } = await statfs('/');
  if (bavail * bsize < Math.min(HOST_DISK_PART * blocks * bsize, HOST_DISK_BYTES))
    conditions.push({
      name: 'HostDiskLow',
      labels,
      summary: `The disk of the host has ${inMb(bavail * bsize)} left.`,
    });
  return conditions;
}

export const serviceNotReady = (service: string, problem: string | null): Condition => ({
  name: 'ServiceNotReady',
  labels: { service },
  summary: `Not ready: ${problem ?? service}.`,
});

const inMb = (bytes: number) => `${Math.round(bytes / MB)} MB`;
