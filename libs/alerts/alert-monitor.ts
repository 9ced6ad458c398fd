import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import type { Budgets } from '#libs/config/budgets.js';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { AlertEntity } from '#libs/database/entities/alerts.js';
import { execute, queryRow, type Transaction } from '#libs/database/sql.js';
import type { Program } from '#libs/health/database-writes.js';
import type { Readiness } from '#libs/health/readiness.js';
import type { DiskSpace } from '#libs/storage/disk-space.js';
import { Alertmanager } from './alertmanager.js';
import { alertKey, type Condition } from './alert-rules.js';
import { isDue, nextStatus, RESOLVE_AFTER_MS } from './alert-state.js';
import {
  BudgetConditions,
  readOwnConditions,
  readSharedConditions,
  type SharedSources,
} from './conditions.js';
import { DatabaseOutage, type DatabaseOutageDeps } from './database-outage.js';
import { ProcessConditions } from './process-conditions.js';
import type { AlertReceiver, Notification } from './receivers.js';

const PASS_EVERY_SECONDS = 15;
/** Seconds between two messages to one receiver. What happens in between is in the next message. */
const MESSAGE_EVERY_SECONDS = 300;
/** Seconds after a message that was not taken. */
const RETRY_AFTER_SECONDS = 60;

export interface AlertMonitorDeps extends DatabaseOutageDeps, Omit<SharedSources, 'database'> {
  program: Program;
  dataSource: DataSource;
  readiness: Readiness;
  disk: DiskSpace;
  budgets: Budgets;
  /** Seconds by which the event loop was delayed since the last call. Measured by default. */
  readLag?: () => number;
}

/**
 * Raises and sends alerts. Every process reports what only it sees; one of all processes in each interval reads the shared
 * conditions and sends. The state is in the table `alerts`, so that no restart repeats an alert.
 */
export class AlertMonitor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly clock: Clock;
  private readonly startedAt: number;
  private readonly outage: DatabaseOutage;
  private readonly alertmanager: Alertmanager;
  private readonly budgets: BudgetConditions;
  private readonly ownMetrics: ProcessConditions;
  private looking: Promise<{ sent: Promise<unknown> }> | null = null;
  private stop: (() => void) | undefined;

  constructor(private readonly deps: AlertMonitorDeps) {
    this.clock = deps.clock ?? systemClock;
    this.startedAt = this.clock.elapsed();
    this.alertmanager = new Alertmanager(deps.alertmanagerUrl, this.clock);
    this.outage = new DatabaseOutage(deps);
    this.ownMetrics = new ProcessConditions(deps.program, this.clock, deps.readLag);
    this.budgets = new BudgetConditions(deps.dataSource, deps.budgets, this.clock, deps.onError);
  }

  onApplicationBootstrap(): void {
    void this.pass();
    this.stop = this.clock.every(PASS_EVERY_SECONDS * 1_000, () => void this.pass());
  }

  beforeApplicationShutdown(): void {
    this.stop?.();
  }

  /**
   * Never rejects. Calls during a look share it. A slow receiver delays no later call.
   */
  async pass(): Promise<void> {
    this.looking ??= this.look().finally(() => (this.looking = null));
    try {
      const { sent } = await this.looking;
      await sent;
    } catch (error) {
      this.deps.onError(error as Error);
    }
  }

  /** @returns when its messages are sent */
  private async look(): Promise<{ sent: Promise<unknown> }> {
    const nothing = { sent: Promise.resolve() };
    const { dataSource, readiness, program, disk, queue, standardWaitSeconds } = this.deps;
    const checks = await readiness.check();
    if (!checks.database) {
      if (program === 'api') await this.outage.report(readiness.problemOf('database'));
      return nothing;
    }
    await this.outage.end();
    const isChosen = await claimInterval(dataSource, 'alerts', PASS_EVERY_SECONDS - 1);
    const conditions = await readOwnConditions(program, checks, readiness, disk);
    conditions.push(...(await this.ownMetrics.read()));
    if (isChosen)
      conditions.push(...(await readSharedConditions({ database: dataSource, queue, standardWaitSeconds })));
    await reportConditions(dataSource, conditions);
    if (!isChosen) return nothing;
    await reportConditions(dataSource, await this.budgets.read());
    const { alerts, now } = await this.advance();
    const messages = this.deps.receivers
      .map((receiver) => ({
        receiver,
        due: alerts.filter((alert) => isDue(alert, receiver.name, now.getTime())),
      }))
      .filter(({ due }) => due.length > 0);
    if (messages.length === 0 || (await this.alertmanager.delivers())) return nothing;
    return { sent: Promise.all(messages.map(({ receiver, due }) => this.notify(receiver, due, now))) };
  }

  /** Gives every alert its next status. A process that has just started resolves none: others may not have started yet. */
  private advance(): Promise<{ alerts: AlertEntity[]; now: Date }> {
    const canResolve = this.clock.elapsed() - this.startedAt >= RESOLVE_AFTER_MS;
    return this.deps.dataSource.transaction(async (transaction) => {
      const now = await readTime(transaction);
      const alerts = await transaction.find(AlertEntity, { lock: { mode: 'pessimistic_write' } });
      const kept: AlertEntity[] = [];
      for (const alert of alerts) {
        const status = nextStatus(alert, now.getTime());
        const isResolved = alert.status === 'firing' && (status === null || status === 'resolved');
        if (status === alert.status || (isResolved && !canResolve)) kept.push(alert);
        else if (status === null) await transaction.delete(AlertEntity, { key: alert.key });
        else {
          const change = { status, endsAt: status === 'resolved' ? now : null };
          await transaction.update(AlertEntity, { key: alert.key }, change);
          kept.push({ ...alert, ...change });
        }
      }
      return { alerts: kept, now };
    });
  }

  private async notify(receiver: AlertReceiver, due: AlertEntity[], now: Date): Promise<void> {
    const { dataSource, onError } = this.deps;
    const interval = `alerts-${receiver.name}`;
    if (!(await claimInterval(dataSource, interval, MESSAGE_EVERY_SECONDS))) return;
    try {
      await receiver.send(due as Notification[]);
    } catch (error) {
      onError(error as Error);
      await endIntervalIn(dataSource, interval, RETRY_AFTER_SECONDS - MESSAGE_EVERY_SECONDS);
      return;
    }
    for (const status of ['firing', 'resolved'] as const) {
      const keys = due.filter((alert) => alert.status === status).map(({ key }) => key);
      await recordSent(dataSource, receiver, status, keys, now);
    }
  }
}

/** True for one process in each interval. */
const claimInterval = async (dataSource: DataSource, name: string, seconds: number): Promise<boolean> =>
  (await execute(
    dataSource,
    `INSERT INTO heartbeats (name, beat_at) VALUES ($1, now()) ON CONFLICT (name) DO UPDATE SET beat_at = now()
     WHERE heartbeats.beat_at <= now() - make_interval(secs => $2)`,
    [name, seconds],
  )) > 0;

const endIntervalIn = (dataSource: DataSource, name: string, seconds: number) =>
  execute(dataSource, `UPDATE heartbeats SET beat_at = now() + make_interval(secs => $2) WHERE name = $1`, [
    name,
    seconds,
  ]);

async function reportConditions(dataSource: DataSource, conditions: Condition[]): Promise<void> {
  if (conditions.length === 0) return;
  const alerts = conditions.map((condition) => ({
    ...condition,
    key: alertKey(condition),
    seenAt: () => 'now()',
  }));
  await dataSource.getRepository(AlertEntity).upsert(alerts, ['key']);
}

const recordSent = (
  dataSource: DataSource,
  { name }: AlertReceiver,
  status: Notification['status'],
  keys: string[],
  now: Date,
) =>
  execute(dataSource, 'UPDATE alerts SET sent = sent || $1::jsonb WHERE key = ANY ($2)', [
    JSON.stringify({ [name]: { status, at: now.toISOString() } }),
    keys,
  ]);

async function readTime(transaction: Transaction): Promise<Date> {
  const row = await queryRow(transaction, z.object({ now: z.date() }), 'SELECT now() AS now');
  return row!.now;
}
